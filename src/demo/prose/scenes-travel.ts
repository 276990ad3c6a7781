import { scene } from './scene.js'

export const road = scene(
  'road',
  [
    `<O świcie|Przed świtem|Zaraz po śniadaniu|Gdy tylko otwarto bramy> {A} i {B}
    {A+B~wyruszyli/wyruszyły} {do L}, a za nimi {C:podążył} {C}<| z ciężkim tobołem na plecach| na
    pożyczonym mule>.`,
    `Droga {do L} zajęła <dwa dni|trzy dni|całą noc|więcej czasu, niż zapowiadał przewodnik>, bo
    {A:musiał} {A} czekać na {B.acc} przy <zerwanym moście|rozmytym brodzie|zamkniętej rogatce>.`,
    `Zanim {A:dotarł} {A} {do L}, {N:zdążył} już {N} <rozgłosić|wszystkim opowiedzieć|wypaplać>, kto tam
    jedzie i po co.`,
    `{C:namówił} {C} pozostałych, by ruszyć {do L} <starym traktem|przez bagna|skrajem puszczy>, gdzie
    {G} nie <stawia|trzyma|opłaca> straży.`,
  ],
  [
    `^{A} {A:spotkał} na trakcie {N.acc}, {N~który/która} {N:wracał} {z K} i nie {N:chciał} mówić o tym,
    co tam {N:zobaczył}.`,
    `^{B} {B:zauważył} na błocie ślady kół <i podkutych butów|oraz krople wosku|i strzępy sukna>, które
    {A} od razu {A:skojarzył} {ze G}.`,
    `Deszcz <nie ustawał|padał bez przerwy|zacinał w oczy>, więc {C:zaproponował} {C} postój, lecz {A}
    {A:wolał} iść dalej, byle przed nocą stanąć {w L}.`,
    `Przewodnik, którego {A} {A:wynajął} {w K}, uciekł w nocy <z jednym z koni|z połową zapasów|bez
    zapłaty>, a {B} {B:znalazł} po nim tylko znak {G.gen} <wyryty w korze|nakreślony węglem na
    kamieniu>.`,
    `Po drodze {B:opowiadał} {B} o {N.loc}, a {A} {A:słuchał} <jednym uchem|w milczeniu|z rosnącym
    niepokojem>, bo {A:znał} tę historię z innych ust.`,
    `Przy <przydrożnej studni|starym dębie|rozstajnym słupie> {C} {C:zsiadł} z konia i {C:podał} {A.dat}
    list, który {N} {N:kazał} otworzyć dopiero {w L}.`,
    `^{A} {A:poznał} okolicę po <wypalonych pniach|kamiennych słupach|przekrzywionym drogowskazie> i
    {A:ostrzegł} {B.acc}, że {do L} zostało <mniej niż godzina|pół dnia|kilka godzin> marszu.`,
    `Nikt nie mówił głośno o {G.loc}, dopóki {B} nie {B:zapytał} wprost, czemu {A} tak często ogląda się
    za siebie.`,
    `Noclegu {N:udzielił} {N}, {N~który/która} {N:podał} <kaszę|rybę z popiołu|kwaśne wino> i
    {N:opowiedział} {B.dat}, jak niegdyś {G} {G:zajął} {L.acc}.`,
    '^{C} {C:niósł} w tobołku {I.acc} i co chwilę {C:sprawdzał}, czy {A} i {B} tego nie widzą.',
  ],
)

export const arrival = scene(
  'arrival',
  [
    `{w L} <panował ścisk|było gwarno|paliły się już światła|pachniało dymem i żywicą>, gdy {A}
    {A:zjawił} się tam z pytaniem o {N.acc}.`,
    `<Wieczorem|O zmierzchu|Późną nocą|W samo południe> {A} {A:dotarł} {do L}, gdzie od <rana|kilku
    dni|tygodnia> {N} {N:wypatrywał} kogoś {z G}.`,
    'Ledwie {B} {B:stanął} {w L}, {N:podszedł} {N} i szeptem {N:ostrzegł} przed {G.ins}.',
    `Tak spokojnie jak tego dnia nie było {w L} od <lat|zimy|ostatniej wojny> i właśnie to {A:uznał} {A}
    za zły znak, a {B} {B:przyznał} {A~mu/jej} rację.`,
  ],
  [
    `Straż przy wejściu należała do {G.gen}, toteż {A:musiał} {A} pokazać <pierścień|list żelazny|glejt>
    i przysiąc, że nie ma przy sobie {I.gen}.`,
    `^{N} nie {N:krył} zdziwienia na widok {A.gen} i dopiero po <długiej chwili|drugim kubku
    wina|namyśle> {N:wskazał} {B.dat} miejsce przy <stole|ogniu|oknie>.`,
    `^{C} {C:dostrzegł} w kącie {M.acc} i {C:trącił} {A.acc} łokciem, lecz {M:zniknął} {M} w tłumie, nim
    ktokolwiek zdążył wstać.`,
    `Wśród gości {B} {B:rozpoznał} dwoje ludzi {z G}; siedzieli plecami do ściany i liczyli każdego, kto
    wchodził {do L}.`,
    `O {I.loc} mówiło się tu <szeptem|bez ogródek|tylko po zmroku>, ale {A} {A:wyłowił} z rozmów imię
    {M.gen} i {A:zapamiętał} je na później.`,
    `{A} {A:zostawił} broń przy drzwiach, natomiast {C} {C:ukrył} pod płaszczem {I.acc}, nie mówiąc o tym
    {B.dat}.`,
    `Nad wejściem ktoś <wyrył|namalował|powiesił> znak {G.gen}, którego, jak {N:przysięgał} {N}, jeszcze
    <wczoraj|rano|o zmierzchu> tam nie było.`,
    '{M}, {M~którego/którą} {A:pamiętał} {A} {z K}, {M:udawał}, że widzi {A.acc} po raz pierwszy.',
    `Gospodarz na dźwięk imienia {N.gen} <spoważniał|odstawił dzban|przestał się uśmiechać> i odesłał
    {B.acc} {do K}.`,
    `Miejscowi patrzyli na {C.acc} <spode łba|z ciekawością|jak na zjawę>, póki {N} nie {N:oznajmił}, że
    {C} przybywa od {G.gen}.`,
  ],
)

export const night = scene(
  'night',
  [
    `Noc {w L} była <bezksiężycowa|duszna|niespokojna|długa>, a {A}, {A~pełniący/pełniąca} wartę,
    {A:słyszał} kroki {N.gen}.`,
    'Kiedy {B} i {C} {B+C~spali/spały}, {A} {A:wymknął} się {do K}, by spotkać {N.acc}.',
    'Przy ogniu {N} {N:opowiadał} o {I.loc}, a {A} {A:dokładał} drew i nie {A:przerywał}.',
  ],
  [
    '^{B} {B:śnił} o {L.loc} w płomieniach i {B:obudził} się z imieniem {M.gen} na ustach.',
    'Nad ranem {C} {C:znalazł} pod drzwiami list bez podpisu; ostrzegał przed {N.ins} i {G.ins}.',
    `Gdzieś {w K} zawył pies, a {N}, {N~przesądny/przesądna} jak mało kto, {N:splunął} przez ramię i
    {N:zaryglował} okiennice.`,
    `{A} i {B} {A+B~rozmawiali/rozmawiały} szeptem o {M.loc}, zgadzając się tylko co do jednego: {I.acc}
    trzeba ukryć.`,
    '{C} nie {C:zmrużył} oka, bo {N:chrapał} {N}, a za ścianą ktoś {z G} ostrzył nóż.',
    `O północy {w K} uderzył dzwon, choć, jak {N:zapewniał} {N}, od <roku|pożaru|dziesięciu lat> nie miał
    serca.`,
    '^{B} {B:wyznał} {A.dat}, że dawno temu {B:służył} {w K} u {N.gen}.',
    `Warta {C.gen} minęła spokojnie, jeśli nie liczyć {M.gen}, {M~który/która} do świtu {M:krążył} wokół
    obozu z latarnią.`,
    'W blasku świecy {A:obracał} {A} w palcach {I.acc}, zastanawiając się, ile {N} naprawdę wie o {G.loc}.',
    `Wiatr niósł {z L} <zapach dymu|strzępy pieśni|odgłosy kłótni>, toteż {B} {B:przysunął} się bliżej do
    {C.gen}.`,
  ],
)
