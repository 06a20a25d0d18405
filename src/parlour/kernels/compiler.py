"""The decorators of compiled functions: `kernel` for what Python calls, `helper` for the rest.

A kernel has exactly one signature. Its code is loaded when it is first called, or compiled then if
it is not kept anywhere (see `objects`), so a process pays for no kernel that it does not use.

numba would make every helper a function of its own, ready to be called from Python: optimized with
all that it calls, and translated for the processor. As a helper is only ever linked into kernels,
and optimized there once more, all that is left out. It is most of the time: the search of the
engine takes 8 s of processor time to compile, and took 42.
"""

from __future__ import annotations

import importlib
import logging
import pickle
import pkgutil
import threading
from functools import partial
from itertools import compress
from typing import Any

from llvmlite import ir
from numba.core import compiler, serialize, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys

import parlour.kernels
from parlour.kernels.objects import has_object, hold, read_object, write_object

WORD = ir.IntType(64)
SCALARS = (types.Integer, types.NoneType)
PREFIX = "parlour.kernels."
COMPILING = logging.getLogger("parlour.kernels")  # logs when a kernel is compiled, and when it was
KERNELS: dict[str, Kernel] = {}  # every kernel of the modules imported so far, by its full name


def kernel(signature, seconds=0.5):
    """Make a kernel of a function, for exactly this signature.

    It takes about so many seconds of processor time to compile.
    """

    def decorate(function):
        made = Kernel(function, signature, seconds)
        KERNELS[f"{function.__module__}.{function.__name__}"] = made
        return made

    return decorate


def helper(function=None, **options):
    """Make a function that kernels and other helpers call, and Python cannot."""
    if function is None:
        return partial(helper, **options)
    return Helper(function, {"nopython": True, "boundscheck": None, **options})


def list_kernels() -> list[Any]:
    """Import all modules of kernels, and return the kernels."""
    for module in pkgutil.walk_packages(parlour.kernels.__path__, PREFIX):
        importlib.import_module(module.name)
    return list(KERNELS.values())


# Kernels


class Kernel(CPUDispatcher):
    """A function that loads or compiles its code when it is first called."""

    def __init__(self, function, signature, seconds):
        options = {"nopython": True, "nogil": True, "boundscheck": None}
        super().__init__(function, targetoptions=options)
        self.module = function.__module__.removeprefix(PREFIX)
        self.name = function.__name__
        self.signature = signature
        self.seconds = seconds
        self._cache = KernelFile(self.module, self.name)

    def __reduce__(self):
        return self.name  # by its name in its module, as a plain function

    @property
    def is_kept(self):
        """Whether its code need not be compiled."""
        return not self._can_compile or has_object(self.module, self.name)

    @property
    def is_kept_for_this_processor(self):
        """Whether its code was compiled here, for this very processor."""
        return has_object(self.module, self.name, own=True)

    def prepare(self, *, own=False):
        """Load the code, or compile it; `own`: for this very processor, whatever was shipped."""
        with global_compiler_lock:
            if not self._can_compile:
                return
            if has_object(self.module, self.name, own=own):
                self._get(own)
                return
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and not global_compiler_lock.is_locked():
            call_in_thread(partial(self._compile_alone, own))
        else:
            self._compile_alone(own)

    def _get(self, own):
        self._cache.own = own
        self.compile(self.signature)
        self.disable_compile()

    def _compile_alone(self, own):
        """Compile it, or wait while another process does, and say so."""
        with global_compiler_lock:
            if not self._can_compile:
                return
            self._report("compiling", finished=False)
            try:
                with hold(self.module, self.name):
                    self._get(own)
                for overload in self.overloads.values():
                    for env in overload.referenced_envs or overload._find_referenced_environments():
                        overload.library.codegen.set_env(env.env_name, env)
            finally:
                self._report("compiled", finished=True)

    def _report(self, what, finished):
        state = {"kernel": f"{self.module}.{self.name}", "seconds": self.seconds}
        COMPILING.info("%s %s", what, self.name, extra=state | {"finished": finished})

    # What numba calls before it needs the code

    def _compile_for_args(self, *args, **kws):
        self.prepare()
        return self  # to be called again, now that it is known what it takes

    def get_call_template(self, args, kws):
        if not self.is_compiling:  # else it calls itself
            self.prepare()
        return super().get_call_template(args, kws)

    def get_function_type(self):
        self.prepare()
        return super().get_function_type()

    def get_compile_result(self, sig):
        self.prepare()
        return super().get_compile_result(sig)


def call_in_thread(call):
    """Call something in a thread and wait for it, so that Ctrl-C interrupts only the waiting.

    Ctrl-C in the midst of compiling would leave half-made code behind.
    """
    errors, finished = [], threading.Event()

    def run():
        try:
            call()
        except BaseException as error:
            errors.append(error)
        finally:
            finished.set()

    threading.Thread(target=run, name="parlour-compiler").start()
    finished.wait()
    if errors:
        raise errors[0]


class KernelFile:
    """The file of a kernel, as numba asks for it."""

    cache_path = ""

    def __init__(self, module, name):
        self._module = module
        self._name = name
        self.own = False  # whether only code for this very processor will do

    def load_overload(self, signature, context):
        """Return the code, or None where it has to be compiled."""
        data = read_object(self._module, self._name, own=self.own)
        if data is None:
            return None
        rtsys.initialize(context)  # all that code needs; numba's refresh() imports SciPy, in 0.4 s
        try:
            return compiler.CompileResult._rebuild(context, *pickle.loads(data))  # noqa: S301 - ours
        except Exception:  # whatever is wrong with it, compiling is the answer
            return None

    def save_overload(self, signature, result):
        """Keep the code."""
        if result.library.has_dynamic_globals:
            raise TypeError(f"{self._name} uses addresses of this process and cannot be kept")
        write_object(self._module, self._name, serialize.dumps(result._reduce()))


# Helpers


class Helper(CPUDispatcher):
    """A function that is compiled into those that call it."""

    def __init__(self, function, options):
        super().__init__(function, targetoptions=options, pipeline_class=HelperCompiler)

    def _compile_for_args(self, *args, **kws):
        raise TypeError(f"{self.py_func.__name__} is called by compiled functions only")

    def add_overload(self, result):
        """Let compiled functions call the code for some types, which Python cannot call."""
        result = result._replace(entry_point=object())  # by which numba finds the code
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result


class HelperCompiler(compiler.Compiler):
    """numba's compiler, with a library that is only linked."""

    def _compile_core(self):
        state, flags = self.state, self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        state.library = HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        if not flags.forceinline and all(isinstance(each, SCALARS) for each in state.args):
            state.library.passed = [each is not types.none for each in state.args]
        return super()._compile_core()


class HelperLibrary(JITCodeLibrary):
    """Code to be linked into that of kernels, which is optimized as a whole."""

    passed = None  # where a helper takes numbers only: which arguments are one, and not None

    def add_ir_module(self, ir_module):
        for function in list(ir_module.functions):
            if self.passed is not None and function.blocks:
                call_in_registers(function, self.passed)
        super().add_ir_module(ir_module)

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True


def call_in_registers(function, passed):
    """Let a function take its arguments in registers and return its value in one.

    numba's functions write their value to memory, and return whether they raised an exception. Such
    a function is left as an interface, compiled into its callers; a plain one behind it does the
    work. So a helper that returns an integer must not raise.
    """
    value = function.args[0].type.pointee
    if value != WORD:
        return
    body = ir.Function(function.module, function.function_type, f"{function.name}.body")
    body.blocks, function.blocks = function.blocks, body.blocks
    body.args, function.args = function.args, body.args
    result, error, *given = function.args
    kept = list(compress(given, passed))
    kinds = ir.FunctionType(value, [each.type for each in kept])
    plain = ir.Function(function.module, kinds, f"{function.name}.plain")
    plain.calling_convention = "fastcc"

    builder = ir.IRBuilder(plain.append_basic_block())
    numbers = iter(plain.args)
    arguments = [
        next(numbers) if is_passed else ir.Constant(each.type, ir.Undefined)
        for each, is_passed in zip(given, passed, strict=True)
    ]
    slot = builder.alloca(value)
    builder.call(body, [slot, builder.alloca(error.type.pointee), *arguments])
    builder.ret(builder.load(slot))

    builder = ir.IRBuilder(function.append_basic_block())
    builder.store(builder.call(plain, kept, cconv="fastcc"), result)
    builder.ret(ir.Constant(function.function_type.return_type, 0))
    for each in (function, body):
        each.attributes.add("alwaysinline")
