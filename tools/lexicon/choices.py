"""What the counts cannot know about talking: which sense people mean, and which words stay unsaid.

Each list is a judgement made by reading what came out. A sense is chosen by naming something above
it: `table=furniture` is the table that is a kind of furniture.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> list[tuple[str, str]]:
    """What stands before and after each sign in a list of such pairs."""
    return [(one, two) for one, _, two in (pair.partition("=") for pair in text.split())]


# The everyday sense, where the counts prefer another one.
SENSES = _pairs(
    """
table=furniture heart=organ jazz=music pain=feeling fever=symptom china=country japan=country
queen=queen_regnant banana=fruit wizard=magician runner=athlete march=month cricket=field_game
enemy=foe peach=edible_fruit pineapple=edible_fruit mango=edible_fruit strawberry=edible_fruit
raspberry=edible_fruit watermelon=edible_fruit carrot=vegetable cucumber=vegetable
broccoli=vegetable gold=metallic_element jeans=trousers turkey=bird egg=food chicken=bird
party=social_gathering pet=animal
"""
)

# Above these nothing is worth saying: everything is a kind of thing.
TOO_GENERAL = _words(
    """
entity physical_entity abstraction abstract_entity object physical_object whole unit thing matter
attribute measure relation causal_agent cause agent psychological_feature group_action grouping
instrumentality instrumentation artifact artefact congener set part piece portion component way
happening occurrence occurrent natural_event human_action human_activity act deed property
social_relation living_thing animate_thing organism being cognition knowledge noesis content
mental_object physical_property change magnitude definite_quantity placental placental_mammal
eutherian eutherian_mammal chordate vertebrate craniate cognitive_content category form variety
sort kind point line side case state condition make do be have get event location quantity
phenomenon physical_phenomenon social_group district fluid chromatic achromatic commodity covering
natural_object natural_phenomenon move go change_state collection body_part region corpus
woody_plant vascular_plant spectral_color edible_fruit component_part administrative_district
geographical_area tract accumulation geological_formation urban_area municipality dactyl demo
laurels connective arthropod invertebrate folio landmass indefinite_quantity chromatic_color
unit_of_measurement linguistic_unit social_event taxonomic_group seed_plant flowering_plant
body_structure animal_tissue visual_property pedal_extremity tongue solid_food solid nourishment
structural_member segment ala carapace golf_widow honest_woman trophy_wife working_girl white_man
quack chit head_shop old_lady liberal stoic nude nutrition aggregation vasoconstrictor saturation
complementary genus cur feeder sociable soiree_musicale pastel interact alter manipulate sight
binary_compound wheeled_vehicle mechanical_device internal_organ produce work_of_art product
creation structure construction
"""
)

# Never a topic and never said of one: insults, slurs, and what is not for a parlour. The word
# itself is refused, in any sense; a harmless word keeps its harmless senses and is not listed.
UNSAID = _words(
    """
anal anus arse arsehole ass asshole bastard bawdyhouse bimbo bitch blowjob boche bollock bollocks
boner bonk boob boobs brothel bugger buggery bukkake bulldyke bullshit bum butt buttock buttocks
castrate castration chink clit clitoris cock cocksucker coitus condom coon copulate copulation
crap crapper cretin cripple cum cunnilingus cunt dago damn darkey darkie darky defecate defecation
dick dickhead dildo dipshit ejaculate ejaculation erection erotic erotica eroticism excrement
faeces fag faggot fart fecal feces fellatio foreskin fornicate fornication fuck fucker fucking
fuckup genital genitalia genitals gigolo goddam goddamn golliwog gook gringo gyppo half-breed
halfwit harlot homo honkey honkie honky hooker horny horseshit humping hymen imbecile incest injun
jap jerk-off jewess jigaboo jism jizz kaffir kike kraut labia lecher lecherous lesbo lezzie libido
limey masochism masochist masturbate masturbation midget molest molestation molester mongol
mongoloid moron mulatto negress negro nigga nigger nigra nipple nymphomania nymphomaniac octoroon
orgasm orgy paedophile paki panderer papist pecker pedophile pedophilia penis perversion pervert
perverted phallic phallus pickaninny pimp piss pissed pissing polack ponce poof poofter poontang
poove porn porno pornographic pornography prick procurer prostitute prostitution pubes pubic pubis
pussy quadroon queer raghead rape raped rapist rectum redskin retard retarded rimming sadism
sadist sadistic sadomasochism sambo schlong schmuck scrotum scumbag semen sex sexed sexual
sexuality sexy shag shit shithead shittiness shitty shlong sissy slattern slut sluttish smegma
smut sodomist sodomite sodomy spastic spaz sperm spic spick squaw strumpet suicide testes testicle
testis tit tits titty tosser tranny transvestite turd twat urinate urination urine vagina vaginal
voyeur voyeurism vulva wank wanker wench wetback whore whorehouse whoremaster whoremonger whoring
wog wop yid zoophilia
"""
)

# Names that are topics all the same; other names are left to the people who bear them.
NAMES = _words(
    """
monday tuesday wednesday thursday friday saturday sunday january february march april may june
july august september october november december christmas easter halloween ramadan hanukkah africa
america antarctica asia australia europe earth mercury venus mars jupiter saturn uranus neptune
pluto atlantic pacific english french german spanish italian russian chinese japanese portuguese
arabic latin greek hindi turkish dutch swedish norwegian danish finnish polish korean hebrew welsh
irish argentina austria belgium brazil bulgaria canada chile china colombia croatia cuba denmark
egypt england estonia ethiopia finland france germany ghana greece hungary iceland india indonesia
iran iraq ireland israel italy jamaica japan jordan kenya latvia lebanon lithuania luxembourg
malaysia malta mexico mongolia morocco nepal netherlands nigeria norway pakistan peru philippines
poland portugal romania russia scotland senegal serbia singapore slovakia slovenia spain sweden
switzerland syria tanzania thailand tunisia turkey uganda ukraine uruguay venezuela vietnam wales
zimbabwe amsterdam athens barcelona beijing berlin boston brussels budapest cairo chicago
copenhagen delhi dublin edinburgh florence geneva hamburg helsinki istanbul jerusalem kiev lisbon
london madrid melbourne milan montreal moscow mumbai munich naples oslo paris prague rome seoul
shanghai stockholm sydney tokyo toronto venice vienna warsaw zurich alps himalayas
"""
)

# Nouns of which there is one or many, and nouns of which there is only some.
COUNTED = _words(
    """
video birthday holiday toothache headache sound pain pleasure fear hope dream feeling emotion mood
desire passion color colour smell taste game sport match drink beer coffee soup cake pie pizza
sandwich salad song symphony disease cold fever stone rock pearl diamond drug cocktail building
painting meeting wedding drawing evening morning ring king string wing thing spring ceiling
marriage language village message page cage image stage garage cottage bandage sausage cabbage
package passage sentence science difference conference dance chance audience distance instance
entrance fence prince city university county abbey party community personality quality activity
ability opportunity ambulance romance substance metal liquid gas acid poison crystal plastic shade
virtue vice habit skill talent shape size weight height length joy sorrow surprise worry regret
"""
)
MASS = _words(
    """
water music air rain snow ice fire smoke sand mud dust wood gold silver money homework housework
luggage baggage furniture information advice news knowledge wisdom luck fun love peace weather
sunshine thunder lightning traffic rice bread butter cheese milk sugar salt flour meat beef pork
bacon ham honey tea wine health happiness sadness anger beauty courage freedom justice truth sleep
work research progress chess football baseball basketball tennis golf hockey soccer cricket rugby
volleyball poker nim othello go chopsticks mathematics math maths physics chemistry biology
history geography poetry literature art jazz hair grass cotton wool silk leather paper glass oil
petrol gasoline electricity heat light darkness space equipment machinery jewelry jewellery
clothing software hardware rubbish garbage trash mail postage nature life death time patience
honesty education swimming skiing sailing fishing hunting cooking reading writing shopping dancing
gardening photography medicine evidence scenery internet lighting denim wiring silverware
tableware glassware porcelain crockery cutlery bedding linen velvet transportation footwear
underwear lace asphalt concrete plaster paint ink shampoo soap wallpaper flooring memorabilia
china pottery insulation
"""
)

# What is said instead of the next thing above, where that is a scholar's word.
INSTEAD = dict(
    _pairs(
        """
music=art,sound money=wealth water=liquid,drink law=rule film=entertainment,art
movie=entertainment,film city=place town=place village=place girl=female,person boy=male,person
mountain=place world=planet fire=heat skin=organ brain=organ time=dimension mouth=opening
soldier=fighter president=leader train=vehicle queen=ruler,monarch death=end sea=body_of_water
ocean=body_of_water lake=body_of_water nurse=professional lawyer=professional
doctor=professional,person sleep=rest dream=imagination dragon=monster unicorn=creature
farmer=worker alien=creature yoga=exercise library=place museum=place zoo=place playground=place
market=place mall=place castle=building concert=show gold=metal storm=weather
lightning=electricity flood=disaster earthquake=disaster nightmare=dream luck=chance
electricity=energy guilt=feeling medicine=drug pill=medicine exam=test car=vehicle bicycle=vehicle
bike=vehicle truck=vehicle scooter=vehicle puzzle=game peace=state freedom=state toy=thing
rainbow=arc jeans=trousers letter=document page=paper garden=place homework=work,study
insect=animal person=creature animal=creature island=land sky=atmosphere shark=fish ghost=spirit
sunday=day happiness=feeling,emotion cat=mammal,animal murder=crime theft=crime garage=building
"""
    )
)

# Things that WordNet puts below another, and nobody else would.
UNTRUE = _pairs(
    """
music=section music=score tea=herbal computer=web_site computer=bulletin_board computer=slide_rule
"""
)

# What everything below shares, so that it tells nothing of any of it.
NO_PARTS = _words(
    """
vertebrate disease illness color chromatic_color vascular_plant woody_plant person animal organism
food plant living_thing object matter substance artifact
"""
)

# Words that hold sentences together; in a talk they are never what it is about.
NO_TOPICS = _words(
    """
a about above across after again against all almost along also although always am among an and any
are as at because been before behind below between both but by can cannot could did does each
either else enough even ever every few for from had has he hello her here hers hi him his how i if
in into is it its just least less let many may me might mine more most much must my neither never
no nor not now of off often on once one only onto or other our out over own per perhaps quite
rather shall she should since so some someone such than that the their them then there these they
this those though through thus to too toward under until up upon us very was we were what when
where whether which while who whom whose why will with within without would yes yet you your ok
okay please thanks bye goodbye checker draught better best worse worst re mi fa la ti ho ha ah er
um ay
"""
)

# Opposites as people say them, both ways.
OPPOSITES = _pairs(
    """
happy=sad big=small hard=easy rich=poor funny=serious tired=rested angry=calm day=night love=hate
summer=winter friend=enemy clever=stupid fast=slow quick=slow beautiful=ugly noisy=quiet
loud=quiet brave=afraid full=hungry kind=cruel interesting=boring cheap=expensive question=answer
start=finish begin=end laugh=cry give=take buy=sell come=go push=pull sit=stand joy=sorrow
hope=despair dream=reality truth=lie heaven=hell dry=wet clean=dirty deep=shallow
"""
)

# And those that WordNet has, and nobody would think of.
UNOPPOSED = _pairs(
    """
walk=ride hungry=thirsty green=ripe
"""
)

# Kept however rare they are elsewhere: this is a house of games.
KEPT = _words(
    """
nim chopstick checkers backgammon dominoes tic-tac-toe halma parlour draughts hippo polar_bear
burger skateboard petrol pyjama ladybird ninja granddad firefighter
"""
)
