"""What can be said to Benedict besides moves and topics, as patterns of the grammar.

Each intent stands before its patterns, which are divided by ` / `.
"""

from __future__ import annotations

from parlour.host.understand.grammar import patterns

ANYTIME = patterns(
    """
    how: how are you|things|we / how is it going|life|everything / how do you do|feel
    hello: !hello|hi|hiya|howdy|greetings|hullo|ahoy|wassup|salutations|aloha|sup|hallo / good
        morrow|morning / what is up|new / !good morning|evening|afternoon|morrow /
        hello|hi|hiya|howdy|greetings|hullo|hallo|yo / good morning|evening|afternoon|day / hey
        there|benedict / hey / nice|pleased to meet you
    goodbye: !goodbye|bye|farewell|cheerio|ttyl|adios / got to dash|run|go|fly|split / !good
        night / i must|should|have be going|off / talk to you later|soon / signing|logging off /
        !see you later|tomorrow|soon / i am leaving / time to go|leave /
        goodbye|bye|farewell|cya|ciao|adios|cheerio / bye bye / see you
        later|tomorrow|soon|around|then|again / see you / i am off|leaving / i have to
        go|leave|run / i must|should go|leave / got to go / exit|quit / close|end|stop|shut
        program|down / until|till next|tomorrow time / so long / take care
    help: what can|could we|one do here|now
        / what am i supposed|meant do|type|say|write / i do not know how|what this|it|to
        program|works|do|functions|type|say / can|could you assist|help / !assist|assistance /
        what do i do|type|say / show me around / !what can i say|type|ask / help / what can i
        say|do|ask|type / what can you do / how does this|it work / what now /
        commands|instructions|options|menu / what are commands / how do i use this|you / i am
        lost|confused / i need help
    thanks: !thanks|thank|thankyou|ta|cheers|grateful|obliged / you are
        best|great|star|kind|helpful|wonderful / i am grateful / bless you / much
        obliged|appreciated / !appreciate / thanks|thank|thankyou|ta|cheers / thank you / much
        appreciated|obliged / i appreciate that|it / very kind / that was|is
        kind|nice|helpful|sweet / nice one
    yes: !yes|yeah|yep|yup|absolutely|certainly|definitely / i would like|love that|it / i
        believe|think so|that / that is|would be so|lovely|nice|great|good / by all means / with
        pleasure / go for it / if you like|want|wish / fine by me / you bet / too right /
        agreed|correct|true /
        yes|yeah|yep|yup|sure|aye|certainly|absolutely|definitely|indeed|ok|okay|affirmative|yea
        / of course / why not / sounds good|great|fine / go ahead|on / please do / you may|can /
        all right / i do|would|am / that is right|fine|true / very well
    no: !no|nope|nah / afraid not / i am afraid not / not
        ever|likely|particularly|especially|for me / i would rather not / no chance|need|thank /
        not in least|slightest / please do not / hardly / no|nope|nah|never|negative|nay / not
        really|now|yet|today / no thanks|thank / not at all / i do|would not / i do not think so
        / rather not / certainly|definitely|absolutely not / no way
    game: !play something|anything / got any games / i feel like playing|game / play a
        round|game / something to play|do / entertain|amuse me / have you got games / let the
        games begin / i want to play / !bored / game|games / play something|anything|game / play
        / let us|we play / want to play / i am bored|up for / challenge you|me / have a game /
        fancy a game
    talk: !let us talk|chat|converse|gossip / gossip|discussion|converse|natter / have a
        discussion|gossip|natter|debate / speak about|over|with|of / tell me something about /
        discuss|debate / i feel like talking|chatting / can we talk|chat|speak|discuss /
        talk|chat|conversation|converse|chatter|discuss / have a
        conversation|chat|talk|word|natter / let us talk|chat|converse / talk|chat|speak
        about|with / speak with me|you / small talk
    resume: !resume / continue that|our|last game / go back to|our last|previous|old game /
        interrupted game|continue / finish what we|started / where were we|left / !saved game /
        we left off / play on / unfinished|interrupted|suspended|adjourned / carry on
        game|playing|saved / continue game|saved|playing|where / continue / load game|saved /
        load / go on with game|saved / back to saved|game|our / pick up where / reopen|restore
        game / finish game i|we saved|started / unfinished game
    forget: !forget me|everything|all|about|my / delete|erase|wipe|remove|clear|strike
        data|memory|me|all|everything|records|personal|information|know / erase all|everything
        you know / strike me from / do not remember|keep anything|me|my / forget
        me|everything|all|about / forget what i told|said|know / forget my name / forget /
        delete|erase|wipe memory|everything|data|me / do not remember me
    rules: !rules|rule / !how do|does|to one|i|you|we play / teach me|us /
        forgotten|forget|remember how goes|works|play|played|plays / i never did|played before /
        new to this|game / explain to me like|how / explain me / state rules / what are you
        allowed|supposed do / how does it|one|game go|goes|work|works|end / what is
        object|aim|goal|idea|purpose / learn how|to play / walk me through / what do i have|need
        to do / what are|is rules|rule / how do|does|can i|you|one|it|this|we
        play|work|go|move|works / how is it|this played / how to play / how this|it|game
        works / explain rules|game / explain how works|play|plays / teach me play|game|rules /
        remind me how|rules / am i allowed / am|is i|it allowed take|move|split|hit|pass
        piles|pile|hand|hands|twice|both|sticks|turn / is it allowed|legal|permitted / can i|you
        take from two|2|more|several piles / what is aim|goal|object|point of game / do not know
        how play
    """
)

IN_GAME = patterns(
    """
    turn: !whose turn|move|go / who is to move|play|go / who|whom am i playing|facing|against
        / is it my|your turn|move|go / am i next / who is my opponent
    praise: !nice|good|great|clever|brilliant|lovely move|play|game|one / well played|done
        / !well played / i like that move
    patience: wait|hold a|on moment|minute|second|sec / !wait / !hold on / sorry / give me moment
        / let me think / thinking
    hint: !hint|hints|clue|tip|advice|suggestion|suggestions|recommend|advise / any
        advice|ideas|thoughts / which|what move|play would|should|do
        recommend|suggest|you|i|make / what would|should be best|wise|smart|good / give me a
        hand|leg / !stuck / i need|could use help|hand|nudge / help me / where|what do i
        go|play|do now|next / what now|next / not sure what / nudge / lend me|us hand / tell me
        what do|play / show me best|good move / your opinion|advice /
        hint|hints|clue|tip|tips|advice|suggestion|suggest|advise|recommend / give|need|want
        hint|clue|tip|help|advice|hand / what should|shall|would|must i|you do|play|take|move /
        what is best|right|good|strongest|winning|correct move|play|choice /
        best|good|winning|right move / best thing to do / i am stuck|lost / any
        ideas|advice|suggestions|idea / no idea what / help me out|decide|choose|move / what do
        you recommend|suggest|advise / where should|shall|would i|you go|play|move / which
        move|pile|square|hand should|is best / what would you do|play|take / do not know what
        do|play / point me in right direction
    why: !why / what is|was your reasoning|reason|thinking|idea|plan|thought /
        reasoning|rationale / tell me reason|why / was my last|move wrong|bad|right|good|mistake
        / reason for move|that / what is wrong with my|that / what did i do wrong / where did i
        go wrong / though why / how does that make sense|help / what is behind|meaning / y
        though|did / explain yourself|that|it|move / why that|this|did|was|is|not|would / how
        come / explain move|that|yourself / explain last|your move|choice / explain / what
        was|is point|reason|idea|thinking|logic of|behind|for|that|there / what made you /
        reason|reasons for|behind / what was wrong with|about / what were you thinking / justify
        / for what reason / how so
    winning: !who is winning|ahead|leading|losing / who has|have
        upper|advantage|better|edge|lead|got / whose position is|better|stronger|winning / am i
        going|gonna to lose|win / will i|you win|lose / is there|any hope / what are my
        chances|odds|prospects / how are things|we looking|standing|going / who is
        better|favorite|favored|favourite / am i toast|doomed|screwed|dead / is position|it|this
        good|bad|equal|even|drawn|lost / how far ahead|behind|am / upper hand / what is
        state|outlook of|game|things / assess|judge position|game|this / do you think you|i
        win|winning|am / who is winning|ahead|leading|better|losing|behind|winnin|up|going / who
        will|would|does win / am i winning|losing|ahead|behind|lost|won|doing|dead|doomed / are
        you winning|losing|ahead|behind / who has upper|advantage|better|edge|lead / do i have
        chance|hope / still|any chance|hope / can i still win / is it|this
        lost|won|hopeless|over|winning / how am i doing / how do|does things|it|i|we|position
        stand|look|looking / how is it|game looking|going|standing / how good|bad is position|my
        / what is score|evaluation|value|verdict / evaluate|score|evaluation|standing / who
        stands better / winning
    undo: !undo|retract|takeback|revert / !take back / can|may|could i have move|that|turn back
        / have my move|turn back / reverse|retract|cancel|withdraw my|last|that|move|it / slip
        of finger|hand|mouse|tongue / i want|wish to change|different / wrong
        move|button|square|pile / !oops|whoops / misclick|misclicked|mistyped|slipped / rewind /
        back a|one|1 step|move / let me have that|it again|back|another / not what i
        meant|wanted / wait|hold i|no meant|back|take / that was slip|error|accident /
        undo|takeback|revert / take back|that|it|move back / take it|that|this|move|last back /
        go|step back one|move|1 / go back / one|1 move|step back / did not mean that|to|it /
        that was mistake / cancel|reverse|retract move|last|that|my / back up one|1|move / let
        me try|move again / change my mind|move / unplay|unmove / my mistake
    redo: !redo|reinstate / put back|again move took|undone|undid|taken / i do want that
        move|after / do that again|after / play|make it|that|same again|after / undo the undo /
        step|go forward|forwards / on second thought keep|leave|play / bring back|again
        it|move|that / restore it|move|that|what / redo / re do / play undone|undid again / undo
        undo / put|bring it|that|move back again / play move again undid|undone|took /
        replay|restore|repeat move|it|that / forward one|1|again|move / step|go forward / do
        again|over it / do it again / put it back / reinstate
    board: !board|grid / print|show|draw|display|see|view
        grid|board|piles|position|table|state|hands|everything|sticks / what is|does
        left|remain|remaining|it|look|there|lie|position / how many|much
        sticks|coins|left|remain|there|pieces|on / let me see|look it|that|again|where / show
        it|me again|everything|now / where do we stand / how does it|board|things look|stand /
        remind me what|where|position / state of play|board / board|position /
        show|draw|print|display|see|repeat
        board|position|piles|it|table|hands|sticks|state|again / show me / draw it
        once|again|more / draw it / what does it|board look / how many
        are|sticks|coins|fingers|discs left|there|remain / how many left|remain|remaining / what
        is on|left board|table / let me see board|position|it / look at board|position / where
        are we|things / current position|state|board / how do things look
    history: !history|transcript / show|list|read|tell|give|print moves|everything
        so|till|until|up|from|back|far|beginning|made|played|now / moves till|until|so|up
        now|far / who played|did|moved what / what has|have been|happened|we|you|played|done|so
        / read back|out moves|game|everything / recap|summary|summarize|review game|moves|so /
        recap|recapitulate / record of game|moves|play / what did you|i|we play|do|move|take
        last|before|first|earlier / the story|course so|of game / game so far / list
        moves|everything played|made|so / history|record|moves|log|transcript played|so /
        history|record|transcript|log / list|show|tell everything|moves|all played|far|made /
        what have we|you|i played|done|moved / moves so far / what moves were|have made|played /
        what was|were played|moves so|last|previous / what happened so|far / game
        record|history|so / past|previous|earlier moves
    moves: what|which squares|piles|hands|moves|ones are|is|can
        free|open|legal|available|left|possible|allowed / list|show
        legal|possible|allowed|available|valid squares|moves|options / how many may|can i
        take|move|remove / what can|may|could i do|play|take here|now / what|which are|is my
        legal|possible|allowed|moves|options|possibilities|choices /
        !legal|possible|allowed|available|valid moves|squares|plays / can i do
        anything|something / what choices|options|moves do have / is there anything i can do /
        where am i allowed|able go|play|move / tell me moves|options / may i / moves /
        legal|possible|allowed|available|valid moves|move / what|which moves|move can|are|is /
        where can|may i go|play|move|put / what can|may i do|play|take|move / what is
        possible|allowed|legal / what are my options|choices|possibilities|moves /
        options|choices|possibilities / what may i / list moves|options|choices / which
        squares|piles|hands can / what could i do|play
    swap: you take|play|be|have my|mine|me i|and take|be|play|have you|your|yours|mine /
        other|opposite color|colour|side|seat|colors / i be|am you and you be|are me /
        change|swap|switch|trade|exchange sides|places|seats|colors|colour|chairs|hands|roles|us
        / may|can|could i|we have|take|play|be other|your|white|black|o|x|second|first /
        !swap|switch|exchange sides|seats|places|colors|roles / turn tables|table|board / play
        my|mine side|hand|position for / i want|would|rather your|other side|position|color /
        swap|switch|change|trade|exchange sides|seats|places|roles|colors|colours / swap|switch
        / can i be o|x|white|black|second|first|you / let me be o|x|white|black|second|first|you
        / i want be|play o|x|white|black|side / i take|play your side / you play my|mine
        side|position / play other side / turn board around|round / other way round|around
    harder: crank it up / !harder|tougher / level|levels higher|up / higher level|difficulty /
        one|1|more|another level higher|up / turn|dial|step|bump|ramp it|difficulty|level up /
        play properly|seriously|best|full / use full|all strength|power / make it|this|yourself
        challenging|difficult|tougher|better|smarter|stronger / you are playing|too
        badly|weak|easy|bad|soft / this is boring|childs|easy|piece|simple / do your best|worst
        / no mercy / stop|not holding|hold back / i want real|proper|better|stronger|bigger
        challenge|opponent|fight / harder|tougher|stronger|hard / too easy|weak|simple /
        play|try harder|better|stronger / make it|this harder|difficult|tougher / more
        difficult|challenge|challenging|challenging / increase|raise|up
        level|difficulty|strength / give me challenge / tougher opponent / stop going easy / do
        not go easy / step it up
    easier: !easier|gentler / nicer|kinder|kind|gentle|mercy|merciful / level|levels lower|down
        / lower level|difficulty / one|1 level lower|down|easier /
        turn|dial|tone|bring|dumb|knock it|difficulty|level down /
        lower|reduce|decrease|drop|turn difficulty|level|strength|skill|down / i am only|just
        little|beginner|eight|child|kid|learning|new|8 / too
        strong|hard|good|tough|clever|smart|much / i keep losing / i cannot|never win|beat /
        slow down / have mercy / make mistakes|mistake|errors|blunder / play
        dumber|worse|weaker|badly|slower / less strong|skill|difficult|clever / cut me slack /
        you are|play too / easier|weaker|gentler|simpler|easy / too
        hard|strong|difficult|good|tough / go|take easy|easier / go easy|easier / dumb it|down
        down / play worse|weaker|badly / make it|this easier / lower|reduce|decrease|drop
        level|difficulty|strength / less difficult|strong|hard / give me chance / be
        nice|gentle|kinder / let me win / tone it down
    save: !save / save|store|keep|remember|hold|park|shelve|adjourn|pause|suspend
        this|it|game|for|so|until|till / store|keep|put this|it|game|position
        later|aside|away|safe|by / go on|continue|finish|resume|carry
        another|later|tomorrow|next|other day|time|dinner|on / !adjourn|shelve / come|get back
        later|tomorrow|to it|this / i need|have to go dinner|eat|leave|later|bed|store|save /
        remember this|game till|until|for|me / let us continue|finish|resume
        later|tomorrow|another / keep game|this / save game|this|it / store game|this / put
        aside|away game|this|it / finish|continue later|tomorrow|time / come back to this|it
        later / park|pause game|this|it / pause / remember|hold game|this
    leave: !leave game|table / get|take|let me out / do not wish|want|like|care to
        go|play|continue|carry|on / not go|play|continue on|with|anymore|longer|this / had
        enough / quit|exit|stop|end|abandon|drop|leave this|game|playing|table|it / out of|from
        this|game|here / i am tired|sick|bored|fed of|with|up / let us do|talk|chat
        something|else|instead|now / something else / i want|would out|to stop|leave|quit /
        return|go back to chat|conversation|talk|lobby|menu / never mind game|this / leave /
        stop|quit|end|abandon|exit playing|game|this / do not want play|to more|anymore|continue
        / back to chat|talk|talking / enough of this|game / enough / stop / exit|quit / let us
        stop|end|finish / i am done|finished|bored / done with this|game / get me out / cancel
        game / no more game|games|of
    resign: !resign|surrender|concede|capitulate|forfeit / victory|win is yours / game is yours
        / !give up|in / i am beaten|finished|defeated|done / you have|are
        won|beaten|winner|victor|defeated / i lay|tip down|over king / uncle / white flag / i
        accept|admit defeat / well played you win|won / you win|won / resign / i give up|in /
        surrender|concede|capitulate|forfeit / i lose|lost / throw in towel / beaten me / you
        beat|got me
    kill: kill everything|all|program|it|game|app|this / !kill program|everything|process|app /
        kill exit|quit|close|end|game / end|close|terminate|shut|quit|exit
        program|app|application|everything|process|down|software / terminate / kill / kill
        game|program|everything / end|close|kill game program / kill it|this / close|end program
    hats: !hats|matchbox|matchboxes|beads / peek|look|see|open|show|view|inspect
        into|in|inside|at|the|your hat|box|boxes|hats|drawer / how many beads|balls
        has|have|are|in|each / what do|does the|your hats|hat|box|balls|beads
        say|hold|contain|look / open box|hat|matchbox|drawer / what|which balls|ball|bead|beads
        are|in|there|left / hats|hat|beads|matchbox|matchboxes / open hats|box|hat|boxes /
        look|see|show inside|in hats|box|hat / which|what beads|balls in|are / what is in|inside
        box|hat|hats / show balls|beads|hats|box|hat / open it|up / box
    again: !rematch|restart / another go|round|game|one|match|try / !new game / best of three|3
        / one|once more|again|game|time|round / same again|game / play|start it|this|game|over
        again|over|anew|afresh / reset / let us start|begin|go over|again|anew / from the
        top|beginning|start|scratch / clean slate / restart this|it|game|with /
        again|rematch|another / play again / start over|again|anew|afresh / one more|game /
        another game|go|round|one / restart|rematch / from beginning|start|scratch / once more
    """
)

IN_TALK = patterns(
    """
    done: !done|enough / !i have|had had enough|done / enough of|with|talking|this|talk|we / we
        can|could stop|leave|end / stop talking|here|now|this|chatting / that is all|enough|it /
        i am|have done|finished|through / no more talk|talking|of|questions / let us
        leave|end|stop it|this|here|there / leave it|that at|there|here / change of scene /
        quit|exit|leave|stop / done|finished / i am done|finished / enough / enough
        talk|talking|chatting|chat|of|for / stop talking|chatting|talk|this / do not want
        talk|chat / let us stop|finish|end / end|finish conversation|talk|chat / no more
        talk|talking|chat|of / that is|will enough|all|do
    why: !why / !how come / why do you say|think|ask|want|mean / how so / what makes you
        say|think|ask / for what reason / what is your|the reason|point / reason for
        asking|saying|that / y though / what do you mean
    """
)
