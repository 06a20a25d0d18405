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

# Compounds that people ask for, however rare they are elsewhere.
ASKED = _words(
    """
white_elephant tea_towel dish_towel blue_moon couch_potato jack_of_all_trades black_sheep
dark_horse red_herring lame_duck scapegoat birth_certificate dress_rehearsal traffic_jam rush_hour
flea_market bus_stop parking_lot swimming_pool roller_skate ice_rink nursery_school
fairy_godmother second_cousin brown_bread apple_pie apple_tart lemon_drop hot_chocolate
orange_juice peanut_butter ice_cube clock_tower ski_mask safety_razor wind_turbine table_knife
bone_china half_hitch tug-of-war musical_chairs hide-and-seek long_jump high_jump cup_final
dead_heat leap_year jet_stream aurora_borealis aurora_australis northern_lights black_hole
red_dwarf white_dwarf shooting_star solar_eclipse lunar_eclipse greenhouse_effect acid_rain
barn_owl barn_swallow guide_dog sheep_dog killer_whale praying_mantis fire_engine birthday_cake
birthday_party rain_forest food_chain nuclear_family acute_angle obtuse_angle isosceles_triangle
scalene_triangle prime_factor composite_number natural_number square_foot board_game card_game
crossword_puzzle jigsaw_puzzle chess_master word_game stage_fright writer's_block cold_feet
cold_shoulder green_thumb poker_face silver_lining silver_bullet paper_tiger last_straw
piece_of_cake small_talk rule_of_thumb flash_in_the_pan pain_in_the_neck apple_of_discord
eye_opener double_dutch general_election pen_name pseudonym fairy_tale deja_vu raison_d'etre
second_wind sweet_tooth wisdom_tooth funny_bone six_pack blood_bank sleeping_bag tin_opener
can_opener vacuum_cleaner hair_dryer tape_measure magnifying_glass shopping_cart treasure_chest
time_machine piggy_bank teddy_bear rocking_chair rocking_horse colander odometer protractor
altimeter pedometer anemometer date
"""
)

# Names of persons and places that people ask for, as well.
ASKED_NAMES = _words(
    """
aberdeen abuja accra aconcagua acropolis adam_smith addis_ababa aeneas aesop agatha_christie ahab
al_capone aladdin alan_turing albrecht_durer alexander_fleming alexander_graham_bell
alfred_hitchcock alfred_nobel alfred_the_great ali_baba amelia_earhart amman ampere amundsen
andersen andy_warhol anne_boleyn antigone antonio_vivaldi antwerp anubis archimedes aristophanes
armstrong atlantis attila auckland avogadro baku balboa bamako bangkok bath baudelaire beckett
beirut belfast beowulf bergen bergman berlioz bernini big_ben bizet black_forest blaise_pascal
blake bluebeard boccaccio bogota bohr bolivar bologna bosch botticelli boyle brasilia bratislava
brecht bremen brighton bruegel bruges brutus bucharest buffalo_bill cabot caligula callas camus
canberra cannes cape_horn cape_of_good_hope cape_town caracas caravaggio cardiff carl_jung
carpathians caruso casablanca casanova cervantes cezanne chaplin charlie_chaplin chaucer
che_guevara chekhov cicero cinderella claude_monet colombo colosseum conan_doyle confucius
copernicus cordoba cortes cupid dakar dali dalton daniel_defoe danton danzig de_gaulle debussy
defoe degas demeter descartes dhaka diana diogenes doha don_juan donatello dostoyevsky dracula
duke_ellington dumas durban durer dusseldorf dvorak el_greco elvis_presley emerson emily_bronte
erasmus esther etna euclid euler euripides eurydice falstaff faraday father_christmas faust
fellini fermat fermi fez fitzgerald flaubert fleming florence_nightingale francis_drake
francisco_goya franco frank_lloyd_wright frankenstein frankfurt franz_kafka franz_liszt
franz_schubert frederick_the_great fuji gagarin galahad galapagos_islands galen galicia
galileo_galilei gandhi ganges garibaldi garonne gaudi gdansk geoffrey_chaucer
george_frideric_handel geronimo gershwin giuseppe_verdi gobi goethe gogol gorbachev goteborg goya
grant graz great_barrier_reef great_wall_of_china greta_garbo grieg guinevere gulliver gutenberg
h._g._wells hadrian halley handel hans_christian_andersen harare hawking haydn hector heisenberg
henri_matisse hephaestus hernan_cortes herodotus hesse hippocrates hitchcock ho_chi_minh hobbes
horace horus houdini huang_he hubble huckleberry_finn hugo hume ibsen icarus immanuel_kant
innsbruck irrawaddy isis islamabad ivan_the_terrible jack_the_ripper jakarta james_cook james_watt
jan_vermeer jesse_owens joan_of_arc job johann_sebastian_bach johann_wolfgang_von_goethe
johannes_brahms johannes_gutenberg johannes_kepler johannesburg john_bull jonah joseph_haydn
jules_verne jung kafka kalahari kampala kandinsky kant karachi kathmandu keats kepler khrushchev
kierkegaard king_lear kingston klee klimt koch krakatau kuala_lumpur kyoto la_paz lady_godiva
lake_baikal lake_constance lake_geneva lancelot lapland lausanne lavoisier lazarus le_corbusier
leeds leibniz leipzig lena leningrad lennon leo_tolstoy leonhard_euler lhasa limpopo linnaeus
liszt little_red_riding_hood livingstone ljubljana loch_ness lolita louis_armstrong louis_pasteur
luanda lusaka lyon macbeth machiavelli machu_picchu magritte mahatma_gandhi mahler malaga mandela
manet maputo marat marconi marcus_aurelius marie_antoinette marie_curie marilyn_monroe marrakesh
mary_magdalene mary_queen_of_scots matisse matterhorn mauna_loa max_planck maxwell medea mendeleev
mendelssohn merlin metternich michael_faraday michelangelo midas miguel_de_cervantes minerva
minotaur minsk mogadishu mombasa mondrian monet montevideo mother_teresa mount_ararat
mount_mckinley mount_olympus mount_rushmore mount_sinai munch muscat nagasaki nairobi nefertiti
neil_armstrong nelson_mandela new_delhi nicolaus_copernicus nicosia niels_bohr nietzsche
nikola_tesla nuremberg oder oppenheimer orpheus oscar_wilde ovid pablo_picasso padua paganini
palladio panama_city pandora pasteur paul_cezanne peary penelope persepolis peter_pan
peter_paul_rubens peter_the_great petrarch phnom_penh pizarro planck plutarch pocahontas poe
pompeii pontius_pilate port-au-prince porto pretoria priestley prokofiev puccini pushkin quito
raphael rasputin ravel reagan rene_descartes renoir reykjavik richard_the_lion-hearted richelieu
riga rilke rimbaud rip_van_winkle roald_amundsen robert_burns robert_e._lee robert_koch
robert_louis_stevenson robespierre robin_hood robinson_crusoe rodin romeo rommel rossini rotterdam
rubens rumpelstiltskin rutherford saint_petersburg saladin salvador_dali salzburg samarkand
san_jose sappho sartre schiller schopenhauer schrodinger schumann scrooge serengeti shannon
sheffield shostakovich shylock sibelius simon_bolivar sinbad sir_francis_drake sisyphus
sitting_bull skopje sleeping_beauty sophocles stanley steinbeck stendhal stevenson stradivari
strasbourg strauss strindberg stuttgart taj_mahal tallinn tantalus tarzan tashkent tchaikovsky
tehran tennyson tenzing_norgay tesla the_hague theseus thessaloniki thomas_aquinas thomas_mann
thucydides tiber tiberius tirana titian toledo tolkien tolstoy tom_thumb toulouse toulouse-lautrec
trajan transylvania tripoli trotsky turgenev turin turing tutankhamen tycho_brahe ulan_bator
uncle_tom valletta van_gogh velazquez verdi vermeer verne victor_hugo vilnius vincent_van_gogh
vivaldi vladivostok von_neumann vulcan walter_mitty walter_raleigh warhol whitman william_blake
wittgenstein yeats yellow_river yerevan yuri_gagarin zagreb zola
"""
)
