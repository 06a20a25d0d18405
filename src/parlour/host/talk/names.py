"""Common first names, so that `i'm bob` is one; none that is rather an adjective, as rich is."""

from __future__ import annotations

NAMES = frozenset(
    """
aaron abby abdul abigail adam adele agnes ahmed aisha alan albert alex alexander alfred ali alice
alicia alison amanda amelia amir amy ana andre andrea andreas andrew andy angela anita ann anna
anne annie anthony antonio arthur astrid barbara beatrice becky ben benjamin bernard bert beth
betty bill billy bjørn bob bobby brad brenda brian bruce bruno carl carla carlos carmen carol
caroline catherine cathy cecilia charles charlie charlotte chris christina christine christopher
claire clara claudia clive colin connor craig cynthia dan daniel daniela dave david dean debbie
deborah denis dennis diana diego dmitri don donald donna doris dorothy doug douglas dylan ed eddie
edgar edith edward eileen elaine eleanor elena eli elisabeth elizabeth ella ellen elsa emil emily
emma eric erik erin ernest esther ethan eva evelyn fatima felix fiona florian frances francis
françois fred freddie frederick gabriel gary geoff george gerald gina giovanni gordon graham greg
gretchen günter gustav hannah hans harold harriet harry hassan heather heidi helen helena henry
herbert hugh hugo ian ibrahim igor ines ingrid irene isaac isabel isabella ivan jack jackie jacob
jake james jamie jan jane janet jason javier jean jeff jennifer jenny jeremy jerry jessica jill
jim jimmy joan joanna joe joel johan johannes john johnny jon jonas jonathan jordan jorge jörg
josé joseph josh joshua juan judith judy julia julian julie juliet jürgen karen karl kate
katherine kathy katie keith ken kenneth kevin kim klaus kurt kyle lars laura lauren lawrence lea
leah lena leo leon leonard leonie lewis liam lily linda lisa liz lou louis louise lucas lucia lucy
luis luke lydia maggie marc marco marcus margaret maria marie mario marion mark markus marta
martha martin mary mateo matt matthew maurice max maya megan mehmet melissa mia michael michelle
miguel mike mikhail miriam mohamed mohammed molly monica nadia nancy naomi natalie natasha
nathan neil nick nicholas nicola nicole nigel nina noah nora norman oliver olivia omar oscar otto
owen pablo pam pamela pat patricia patrick paul paula pauline pedro peggy penny pete peter phil
philip philippa pierre priya rachel ralph raymond rebecca rené richard rick rita rob robert
roberta robin rodney roger roland ron ronald rosie ross roy rupert ruth ryan sally sam samantha
samuel sandra sanjay sara sarah scott sean sebastian sergei sharon sheila sid simon sofia sonia
sophia sophie søren stan stefan stella stephanie stephen steve steven stuart sue susan suzanne
sven sylvia tamara tanya ted teresa thomas tim timothy tina tobias toby todd tom tommy tony tracy
trevor ulrich ursula valerie vanessa vera veronica victor victoria vincent vladimir walter wanda
wendy wilhelm william wolfgang xavier yasmin yusuf yvonne zoe zoë
""".split()
)
