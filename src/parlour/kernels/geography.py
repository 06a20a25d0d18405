"""Directed geography, proven by proof-number search: who wins when no situation may come back.

The players move a token along the edges of a graph; what was visited is barred, and a player who
cannot move loses. Whatever is decided in the open part of the graph without repetition (a dead end
is lost, a situation with a move to a lost one is won, one with only moves to won ones is lost)
stays decided however play goes on: the winner's moves go strictly down in the order of the
decisions, so they never need a situation twice. After every move these decisions are updated, which
is cheap, and only the undecided rest is searched, by proof numbers: the lines that need the least
further proof first. Two histories with the same token and the same undecided situations are one
node; every node is kept.
"""

from __future__ import annotations

import numpy as np
from numba import int16, int32, int64, types, uint8, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.rng import STEP, scramble

WON, LOST = 1, 2
PROVEN = int32(1 << 28)  # an infinite proof number
EPSILON = 1.25  # by this factor a line may look worse than the next before that one is tried


@helper
def propagate(queue, ready, here, first_back, back, is_open, degree):
    """Decide all that follows from the situations in the queue; return what becomes of `here`.

    The queue holds situations doubled, plus 1 where lost. `degree` counts undecided moves.
    """
    done = int64(0)
    while done < ready:
        lost = queue[done] & 1
        decided = queue[done] >> 1
        done += 1
        for e in range(first_back[decided], first_back[decided + 1]):
            origin = back[e]
            if origin != here and not is_open[origin]:
                continue
            if lost:
                if origin == here:
                    return int64(WON)
                is_open[origin] = uint8(0)
                queue[ready] = origin * int32(2)
                ready += 1
            else:
                degree[origin] -= int16(1)
                if degree[origin] == 0:
                    if origin == here:
                        return int64(LOST)
                    is_open[origin] = uint8(0)
                    queue[ready] = origin * int32(2) + int32(1)
                    ready += 1
    return int64(0)


@helper
def move_token(here, first_back, back, is_open, degree, queue):
    """Move the token: bar the situation, decide what follows; return WON, LOST or 0 for `here`."""
    is_open[here] = uint8(0)
    ready = int64(0)
    for e in range(first_back[here], first_back[here + 1]):
        origin = back[e]
        if is_open[origin]:
            degree[origin] -= int16(1)
            if degree[origin] == 0:
                is_open[origin] = uint8(0)
                queue[ready] = origin * int32(2) + int32(1)
                ready += 1
    return propagate(queue, ready, here, first_back, back, is_open, degree)


@helper
def hash_position(here, is_open, zobrist):
    """Return two hashes of the token and the set of open situations."""
    one, two = scramble(zobrist[here, 0]), scramble(zobrist[here, 1])
    for situation in range(is_open.size):
        if is_open[situation]:
            one ^= zobrist[situation, 0]
            two ^= zobrist[situation, 1]
    return one, two


@helper
def decide_start(first, after, visited, start, is_open, degree, queue):
    """Fill `is_open` and `degree` for the token on `start`; queue what is lost at once."""
    situations = first.size - 1
    for s in range(situations):
        is_open[s] = uint8(not visited[s] and s != start)
        for e in range(first[s], first[s + 1]):
            if not visited[after[e]] and after[e] != start:
                degree[s] += int16(1)
    ready = int64(0)
    for s in range(situations):
        if is_open[s] and degree[s] == 0:
            is_open[s] = uint8(0)
            queue[ready] = int32(2 * s + 1)
            ready += 1
    return ready


@helper
def slot_of(one, two, keys, table):
    """Return the slot of the node with these hashes, or the free one where it belongs."""
    mask = uint64(table.size - 1)
    slot = one & mask
    while table[slot] >= 0 and (keys[table[slot], 0] != one or keys[table[slot], 1] != two):
        slot = (slot + uint64(1)) & mask
    return slot


@helper
def rehash(keys, found, size):
    """Return a larger table of the nodes; sizes are powers of two."""
    table = np.full(size, -1, np.int32)
    for node in range(1, found):
        table[slot_of(keys[node, 0], keys[node, 1], keys, table)] = int32(node)
    return table


@helper
def select_child(begin, end, child_nodes, proof, disproof):
    """Return the place of the child least to disprove, its number, the next, and all proofs."""
    best, least, second, total = int64(-1), PROVEN, PROVEN, int64(0)
    for place in range(begin, end):
        child = child_nodes[place]
        if disproof[child] < least:
            second, least, best = least, disproof[child], int64(place)
        elif disproof[child] < second:
            second = disproof[child]
        total += int64(proof[child])
    return best, least, second, total


@kernel(
    types.Tuple((int64, int32[::1], int32[::1], int64[::1], int16[::1], int32[::1], int32[::1]))(
        int64[::1], int32[::1], int64[::1], int32[::1], uint8[::1], int64, int64, int64, int64[::1]
    )
)
def prove(first, after, first_back, back, visited, start, most_nodes, deepest, work):
    """Prove who wins with the token on `start`; return 0 when stopped or out of nodes.

    Also return the proof: for each node its proof and disproof numbers (0 for won and for lost),
    where its children begin and their number, and for each child its node and situation.
    """
    situations = first.size - 1
    opened = np.zeros((deepest + 1, situations), np.uint8)
    degrees = np.zeros((deepest + 1, situations), np.int16)
    queue = np.empty(2 * situations + 2, np.int32)
    zobrist = np.empty((situations, 2), np.uint64)  # Zobrist keys: a set is hashed by their xor
    for s in range(situations):
        zobrist[s, 0] = scramble(uint64(2 * s + 1) * STEP)
        zobrist[s, 1] = scramble(uint64(2 * s + 2) * STEP)
    tokens = np.zeros(deepest + 1, np.int32)
    nodes = np.zeros(deepest + 1, np.int32)
    proof_limit = np.zeros(deepest + 1, np.int32)
    disproof_limit = np.zeros(deepest + 1, np.int32)
    size = min(most_nodes, int64(1) << 16)
    proof = np.ones(size, np.int32)
    disproof = np.ones(size, np.int32)
    children = np.full(size + 1, -1, np.int64)
    counts = np.zeros(size, np.int16)
    keys = np.zeros((size, 2), np.uint64)
    child_nodes = np.empty(4 * size, np.int32)
    child_tokens = np.empty(4 * size, np.int32)
    table = np.full(4 * size, -1, np.int32)

    nothing = np.empty(0, np.int32)
    ready = decide_start(first, after, visited, start, opened[0], degrees[0], queue)
    decided = int64(LOST)
    if degrees[0, start]:
        decided = propagate(queue, ready, start, first_back, back, opened[0], degrees[0])
    if decided:
        return decided, nothing, nothing, children[:0], counts[:0], nothing, nothing
    tokens[0] = start
    proof_limit[0] = disproof_limit[0] = PROVEN
    found, written = int64(1), int64(0)
    depth = int64(0)
    steps = int64(0)
    while depth >= 0:
        steps += 1
        if steps & 1023 == 0:
            work[1] = found
            if work[0]:
                break
        node = nodes[depth]
        here = tokens[depth]
        if children[node] < 0:  # a new node: expand it
            if depth == deepest:
                break
            children[node] = written
            count = int16(0)
            for e in range(first[here], first[here + 1]):
                token = after[e]
                if not opened[depth, token]:
                    continue
                opened[depth + 1] = opened[depth]
                degrees[depth + 1] = degrees[depth]
                decided = move_token(
                    token, first_back, back, opened[depth + 1], degrees[depth + 1], queue
                )
                if decided == LOST:
                    count = int16(-1)
                    break
                if decided == WON:
                    continue
                one, two = hash_position(token, opened[depth + 1], zobrist)
                slot = slot_of(one, two, keys, table)
                child = table[slot]
                if child < 0:
                    if found == proof.size:
                        if found >= most_nodes:
                            work[1] = found
                            no = int64(0)
                            return no, nothing, nothing, children[:0], counts[:0], nothing, nothing
                        grown = min(2 * found, most_nodes)
                        proof = np.concatenate((proof, np.ones(grown - found, np.int32)))
                        disproof = np.concatenate((disproof, np.ones(grown - found, np.int32)))
                        children = np.concatenate((children, np.full(grown - found, -1, np.int64)))
                        counts = np.concatenate((counts, np.zeros(grown - found, np.int16)))
                        keys = np.concatenate((keys, np.zeros((grown - found, 2), np.uint64)))
                    child = int32(found)
                    found += 1
                    table[slot] = child
                    keys[child, 0] = one
                    keys[child, 1] = two
                    disproof[child] = int32(degrees[depth + 1, token])
                    if 2 * found > table.size:
                        table = rehash(keys, found, 2 * table.size)
                if written + 1 >= child_nodes.size:
                    space = np.empty(child_nodes.size, np.int32)
                    child_nodes = np.concatenate((child_nodes, space))
                    child_tokens = np.concatenate((child_tokens, space))
                child_nodes[written] = child
                child_tokens[written] = token
                written += 1
                count += int16(1)
            if count <= 0:  # a move into a lost situation, or none but into won ones
                written = children[node]
                proof[node] = int32(0) if count < 0 else PROVEN
                disproof[node] = PROVEN if count < 0 else int32(0)
                count = int16(0)
            counts[node] = count
        begin = children[node]
        best, least, second, total = select_child(
            begin, begin + counts[node], child_nodes, proof, disproof
        )
        if counts[node] > 0:
            proof[node] = least
            disproof[node] = int32(min(total, int64(PROVEN)))
        if (
            proof[node] >= proof_limit[depth]
            or disproof[node] >= disproof_limit[depth]
            or proof[node] == 0
            or disproof[node] == 0
        ):
            depth -= 1
            continue
        child = child_nodes[best]
        token = child_tokens[best]
        opened[depth + 1] = opened[depth]
        degrees[depth + 1] = degrees[depth]
        move_token(token, first_back, back, opened[depth + 1], degrees[depth + 1], queue)
        spare = int64(disproof_limit[depth]) - int64(disproof[node]) + int64(proof[child])
        proof_limit[depth + 1] = int32(min(spare, int64(PROVEN)))
        later = min(int64(PROVEN), max(int64(second) + 1, int64(second * EPSILON)))
        disproof_limit[depth + 1] = min(proof_limit[depth], int32(later))
        depth += 1
        nodes[depth] = child
        tokens[depth] = token
    work[1] = found
    answer = int64(0)
    if proof[0] == 0:
        answer = int64(WON)
    elif disproof[0] == 0:
        answer = int64(LOST)
    return (
        answer,
        proof[:found],
        disproof[:found],
        children[:found],
        counts[:found],
        child_nodes[:written],
        child_tokens[:written],
    )
