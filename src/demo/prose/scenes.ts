import { type Template, template } from '../template.js'

/**
 * What can happen in a session: `open` sets the scene, `next` continues it. Slots: A, B, C are heroes, N and
 * M others, L and K places, G and H groups, I an item. A leading `^` allows an adverbial before the sentence.
 */
export interface Scene {
  readonly open: ReadonlyArray<Sentence>
  readonly next: ReadonlyArray<Sentence>
}

export interface Sentence {
  readonly id: string
  readonly template: Template
  readonly leads: boolean
}

const sentences = (key: string, texts: ReadonlyArray<string>): ReadonlyArray<Sentence> =>
  texts.map((text, at) => ({
    id: `${key}${at}`,
    template: template(text.startsWith('^') ? text.slice(1) : text),
    leads: text.startsWith('^'),
  }))

const scene = (key: string, open: ReadonlyArray<string>, next: ReadonlyArray<string>): Scene => ({
  open: sentences(`${key}.o`, open),
  next: sentences(`${key}.n`, next),
})

export const inquiry = scene(
  'inquiry',
  [
    `Śledztwo zaczęło się {w L}, gdzie {A} {A:obejrzał} <zamek w drzwiach|wypaloną podłogę|przewrócone
    skrzynie>, a {B} {B:przepytał} <służbę|sąsiadów|strażników> {N.gen}.`,
    `Aby ustalić, kto zabrał {I.acc}, {A} {A:rozdzielił} zadania: {B} {B:ruszył} {do K}, a {C} {C:został}
    {w L}.`,
    `{B} {B:przyniósł} {z K} wieść, że {N} jeszcze <przedwczoraj|tydzień temu|o poranku> {N:miał} przy
    sobie {I.acc}.`,
  ],
  [
    `Pod <deską|obluzowanym kamieniem|stertą worków> {C} {C:znalazł} <kartę|strzęp pergaminu|woskową
    tabliczkę> z pieczęcią {G.gen} i imieniem {M.gen}.`,
    '^{A} {A:porównał} charakter pisma z listem {N.gen} i {A:uznał}, że oba dokumenty powstały {w K}.',
    `Zapach <siarki|kamfory|mokrej wełny> prowadził {B.acc} aż {do K}, lecz tam trop się urywał, a {N}
    {N:przysięgał}, że nikogo nie {N:widział}.`,
    `Księgi rachunkowe {G.gen} nie zgadzały się o <sto|siedemdziesiąt|dwieście> koron, co {A}
    {A:zauważył} dopiero przy trzecim czytaniu.`,
    `^{C} {C:spędził} <pół nocy|cały ranek|dwa wieczory> na dachu, obserwując {M.acc}, {M~który/która}
    <dwa|trzy|cztery> razy {M:wchodził} {do L} z pustymi rękami, a {M:wychodził} z workiem.`,
    'Kiedy {B} {B:zestawił} daty, stało się jasne, że {M} nie {M:mógł} być wtedy {w L}.',
    '{N:wskazał} {N} na {M.acc}, {M} na {G.acc}, a {A} nie {A:wierzył} już nikomu.',
    `Przed wejściem {do L} ktoś rozsypał <sól|popiół|makowe ziarno>, a {A} {A:pamiętał}, że to zwyczaj
    {G.gen}.`,
    'Wszystkie zeznania zgadzały się w jednym: {I.acc} ostatni raz widziano {w L}, w rękach {M.gen}.',
    '„Proszę sprawdzić {w K}, w rejestrach {G.gen}” — {N:poradził} {N}, na co {C} {C:westchnął} ciężko.',
  ],
)

export const fight = scene(
  'fight',
  [
    `Napastnicy wyszli z ciemności, gdy {A} i {B} {A+B~mijali/mijały} {L.acc}; na tarczach mieli znak
    {G.gen}.`,
    'Zasadzka czekała {w L}: {N} {N:dał} sygnał, a ludzie {z G} zamknęli drogę {A.dat} i {B.dat}.',
    'Do walki doszło {w L}, <zanim|nim> {A} {A:zdążył} wypowiedzieć imię {N.gen}.',
  ],
  [
    '^{A} {A:sparował} pierwsze uderzenie, {B} {B:rzucił} się w bok, a {C} {C:zasłonił} sobą {N.acc}.',
    'Ostrze {N.gen} musnęło ramię {A.gen}, lecz rana okazała się <płytka|niegroźna|gorsza, niż się zdawało>.',
    `^{B} {B:cisnął} w napastników <pochodnią|garścią popiołu|ławą>, dzięki czemu {A} {A:zdołał} wyrwać
    {I.acc} z rąk {M.gen}.`,
    `{M:próbował} {M} uciec przez <okno|tylne wyjście|dach>, ale {C} {C:podciął} {M~mu/jej} nogi i
    {C:przycisnął} {M~go/ją} do ziemi.`,
    'Kiedy padł dowódca {G.gen}, reszta rozpierzchła się po {L.loc}, porzucając <broń|łupy|rannych>.',
    `^{C} {C:złamał} ostrze na zbroi {N.gen} i {C:walczył} gołymi rękami, póki {B} nie {B:podał}
    {C~mu/jej} <topora|noża|włóczni>.`,
    'Mało brakowało, by {I} {I:wpadł} w ręce {M.gen}, jednak {B} {B:zachował} zimną krew.',
    `Po wszystkim {A} {A:opatrzył} {B.acc}, a {C} {C:przeszukał} sakwy i {C:znalazł} w nich zapłatę od
    {N.gen}.`,
    `^{N} {N:poddał} się dopiero wtedy, gdy {A} {A:przyłożył} {N~mu/jej} ostrze do gardła i {A:zażądał}
    prawdy o {I.loc}.`,
    `Straż {z K} zjawiła się <za późno|po wszystkim|już po walce>, by kogokolwiek pojmać, i {B:musiał}
    {B} długo tłumaczyć, skąd na bruku krew {M.gen}.`,
  ],
)

export const discovery = scene(
  'discovery',
  [
    `Za <gobelinem|rzędem beczek|zwaloną kolumną> {A} {A:odkrył} przejście, o którym {N} nigdy nie
    {N:wspominał}, choć {L.acc} {N:znał} od dziecka.`,
    'Najważniejsze odkrycie przyszło przypadkiem: {B} {B:potknął} się {w L} o {I.acc}.',
    'To {C} {C~pierwszy/pierwsza} {C:spostrzegł}, że na {I.loc} widnieje znak {G.gen}.',
  ],
  [
    `Napis na ścianie wymieniał {M.acc}, {G.acc} i rok, w którym spłonęło <stare miasto|pierwsze
    miasto|nabrzeże>.`,
    '^{A} {A:starł} kurz rękawem i {A:przeczytał} imię {M.gen}, a niżej, ku zdumieniu {B.gen}, własne.',
    `W skrzyni, pod <listami|mapami|suszonymi ziołami>, spoczywał skarb {G.gen}: {I},
    {I~owinięty/owinięta/owinięte} w <płótno|skórę|kawał żagla> {z K}.`,
    'Kamień, który {N} {N:nazywał} ostrzeżeniem, okazał się drogowskazem {do K}, jak {B:odgadł} {B}.',
    `{B} nie {B:odważył} się dotknąć {I.gen}, dopóki {A} nie {A:sprawdził}, czy {G} nie {G:zostawił}
    pułapek.`,
    'Korytarz wiódł {z L} wprost {do K}, co tłumaczyło, jak {M} {M:zdołał} zniknąć bez śladu.',
    '^{C} {C:narysował} plan przejść i {C:zaznaczył} na nim miejsce, gdzie {N} {N:ukrył} {I.acc}.',
    `Najstarsza z map pokazywała {L.acc} pod inną nazwą, którą znała już tylko <babka|rodzina|służba>
    {N.gen}.`,
    '^{A} {A:zrozumiał}, że {G} {G:szukał} {I.gen} w złym miejscu: nie {w K}, lecz {w L}.',
    `Z zapisków wynikało, że {M} {M:przekazał} {I.acc} nie {N.dat}, tylko {C.dat}, <na długo przed
    pożarem|w tajemnicy|jako wiano>.`,
  ],
)

export const chase = scene(
  'chase',
  [
    'Pościg za {N.ins} zaczął się {w L} i skończył dopiero {w K}, gdzie {A} {A:padł} ze zmęczenia.',
    '{N} {N:porwał} {I.acc} sprzed nosa {A.gen} i {N:pognał} {do K}.',
    'Gdy {w L} rozległ się krzyk, {M:biegł} już {M} w stronę rzeki, a za {M~nim/nią} {B} i {C}.',
  ],
  [
    `^{B} {B:skrócił} sobie drogę przez <ogrody|dachy|kanał>, dzięki czemu {B:zobaczył}, jak {N} oddaje
    {I.acc} {M.dat}.`,
    '^{C} {C:zgubił} trop przy {L.loc}, lecz za miedziaka wskazano {C~mu/jej} kierunek: prosto {do K}.',
    'Brama była zamknięta, a klucz {N:miał} {N}; {A} bez wahania {A:wyłamał} <rygiel|kłódkę|furtę>.',
    'Ludzie {z G} nie pomogli ani {A.dat}, ani {N.dat}, czekając, kto okaże się szybszy.',
    '{A:dopadł} {A} {N.gen} dopiero nad wodą, gdzie {M:czekał} już {M} z łodzią.',
    '^{B} {B:krzyknął}, żeby zostawić {N.acc}, a ratować {C.acc}, {C~który/która} {C:wpadł} do kanału.',
    'Koń {A.gen} okulał w połowie drogi {z L}, więc {B} {B:oddał} {A~mu/jej} swojego.',
    'W zamieszaniu {I} {I:upadł} na bruk, a {C}, nie zwalniając, {C:kopnął} znalezisko pod nogi {B.gen}.',
    '„Zostawcie {N.acc} {G.dat}!” — {C:zawołał} {C}, lecz {A} nie {A:zamierzał} słuchać.',
  ],
)

export const ending = scene(
  'ending',
  [
    'Na koniec {A} {A:oddał} {I.acc} pod opiekę {G.gen}, a {N} {N:przyrzekł} milczeć.',
    'Sprawa {I.gen} nie została jednak zamknięta: {N} {N:zniknął}, a {G} {G:zaprzeczył} wszystkiemu.',
    'Gdy opadł kurz, {A} {A:policzył} straty {w L} i {A:napisał} do {N.gen} <krótki|długi|szczery> list.',
  ],
  [
    `^{B} {B:zatrzymał} dla siebie <połowę mapy|pierścień|klucz> i nie {B:wspomniał} o tym {A.dat} ani
    {N.dat}.`,
    'Nagrodą od {G.gen} podzielono się po równo, choć {C} {C:uważał}, że {N.dat} nie należy się nic.',
    `{A} i {B} {A+B~wrócili/wróciły} {do K} przed <świtem|zmrokiem|pierwszym mrozem>, a {C} {C:został}
    {w L}, by pilnować {N.gen}.`,
    'O tym, co {A:widział} {A} {w L}, <kroniki|rejestry|księgi> {G.gen} milczą do dziś.',
    '{N} {N:pożegnał} {A.acc} słowami, które {B} {B:zapamiętał} na długo: „Jeszcze wrócicie {do L}”.',
    'Pytanie, komu naprawdę służy {M}, pozostało bez odpowiedzi, podobnie jak los {I.gen}.',
    '^{C} {C:wysłał} do {M.gen} gońca z wiadomością, że {I} {I:był} {w L} przez cały czas.',
    `Za <tydzień|miesiąc|kilka dni> {A} {A:miał} znów stanąć {w L}, tym razem jako <gość|świadek|dłużnik>
    {G.gen}.`,
    `W drodze powrotnej {B} {B:przyznał}, że zaufanie do {N.gen} było błędem, a {A} tylko {A:wzruszył}
    ramionami.`,
  ],
)

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

export const talk = scene(
  'talk',
  [
    '{A} {A:usiadł} naprzeciw {N.gen} i bez wstępów {A:zapytał} o {I.acc}.',
    `Rozmowa {ze N} zaczęła się od <pogody|cen soli|plotek {z K}>, lecz {A} szybko {A:skierował} ją na
    {G.acc}.`,
    '„Kto pyta o {I.acc}, ten krótko żyje” — {N:powiedział} {N} i {N:spojrzał} na {A.acc} spod oka.',
    'Na umówione spotkanie {w L} zamiast {M.gen} {N:przyszedł} {N}, czego {A} się nie {A:spodziewał}.',
  ],
  [
    `„<Dwie|Trzy|Cztery> noce temu {M} {M:wyszedł} {z L} i nie {M:wrócił}” — {N:wyznał} w końcu {N}, a
    {B} {B:zapisał} każde słowo.`,
    `^{N} {N:twierdził}, że {G} nie ma z tym nic wspólnego, jednak {A} {A:wyczuł} w tych słowach
    <strach|kłamstwo|wyuczoną formułkę>.`,
    '^{B} {B:dopytywał} o {M.acc}, o <klucze|długi|dawne przysięgi> i o to, kto naprawdę rządzi {L.ins}.',
    'Na wzmiankę o {M.loc} {N} {N:pobladł} i {N:odsunął} kubek, jakby {A} {A:nalał} do niego trucizny.',
    `^{A} {A:obiecał} {N.dat} <ochronę|dziesięć talarów|miejsce na łodzi> w zamian za wskazówkę, gdzie
    {G} trzyma {I.acc}.`,
    'Dopiero list od {M.gen}, który {C} {C:położył} na stole, rozwiązał {N.dat} język.',
    'Z tego, co {N:mówił} {N}, wynikało, że {M} i {G} od lat spierają się o {L.acc}.',
    '^{C} {C:przerwał} {N.dat} w pół zdania i {C:zapytał}, czemu ślady {z K} prowadzą właśnie {do L}.',
    `{A} nie {A:dał} po sobie poznać, że {I.acc} {A:widział} na własne oczy, i {A:pozwolił} {N.dat} mówić
    dalej.`,
    `Pożegnanie było <chłodne|krótkie|bez słów>: {N} {N:skinął} głową {B.dat}, a {A} {A:wyszedł} {z L},
    nie oglądając się za siebie.`,
    `„Nie mnie pytajcie, tylko {M.acc}” — {N:odburknął} {N}, gdy {B} {B:przypomniał} o zobowiązaniach
    {G.gen}.`,
    `Im dłużej {N:milczał} {N}, tym pewniejsza stawała się odpowiedź i {A} {A:wymienił} z {B.ins}
    porozumiewawcze spojrzenie.`,
  ],
)

export const deal = scene(
  'deal',
  [
    `Targi {ze N} trwały <do zmroku|pół dnia|dłużej, niż wypadało>, bo {A} nie {A:chciał} oddać {I.gen}
    za bezcen.`,
    '{N} {N:wycenił} {I.acc} na <sto|dwieście|trzysta> talarów, na co {A} tylko się {A:roześmiał}.',
    '{A:przyszedł} {A} {do L} z sakwą srebra, by odkupić {I.acc} od {N.gen}.',
  ],
  [
    `Stanęło na tym, że {N} {N:dostał} połowę z góry, a resztę {C:miał} {C} dostarczyć {do K} <przed
    pełnią|do końca miesiąca|w ciągu tygodnia>.`,
    'Umowę spisano {w L} w dwóch odpisach: jeden {A:wziął} {A}, drugi {N:schował} {N}.',
    `{M}, {M~występujący/występująca} jako świadek, {M:zażądał} dla {G.gen} <dziesiątej|piątej|trzeciej>
    części zysku.`,
    '^{C} {C:szepnął} {A.dat}, że podobne towary {w K} idą za pół ceny, i {N:musiał} {N} spuścić z tonu.',
    `W zamian za {I.acc} {N} {N:zażyczył} sobie przysługi: {A} {A:miał} odprowadzić {M.acc} bezpiecznie
    {do K}.`,
    `^{A} {A:dorzucił} do zapłaty <beczułkę miodu|skórę niedźwiedzia|dobre słowo u {G.gen}>, co
    ostatecznie przekonało {N.acc}.`,
    `Gdy pieniądze zmieniły właściciela, {B} {B:zauważył} na pieczęci {N.gen} znak {G.gen}, lecz było już
    za późno, by się wycofać.`,
    'O długu {M.gen} nie padło ani słowo, chociaż {A} i {N} {A+N~myśleli/myślały} o nim przez cały czas.',
    `{B} {B:sprawdzał} próbę każdej monety, podczas gdy {N} {N:liczył} na głos i <dwa razy|trzy
    razy|wciąż> {N:gubił} rachunek.`,
    `Za pośrednictwo {M:upomniał} się {M}, choć {B.dat} wydawało się, że cały targ ułożył się bez
    {M~niego/niej}.`,
  ],
)

export const council = scene(
  'council',
  [
    'Na naradę {do L} {G} {G:wysłał} {N.acc}, a {A} {A:przybył} w imieniu {H.gen}.',
    `Narada {w L} zaczęła się od kłótni: {N} {N:oskarżył} {G.acc} o kradzież {I.gen}, a {A} {A:zażądał}
    dowodów.`,
    'Przy długim stole {w L} {A:zasiadł} {A}, naprzeciw zaś {N} i dwoje ludzi {z G}.',
  ],
  [
    `^{B} {B:odczytał} list {M.gen}, po którym zapadła cisza, a {N} {N:pobladł} <jak płótno|ze złości|i
    {N:usiadł}>.`,
    'Większość głosów padła za tym, by {I.acc} oddać pod straż {G.gen} aż do <nowiu|żniw|powrotu {M.gen}>.',
    '^{N} {N:sprzeciwił} się stanowczo, powołując się na zwyczaj przyjęty {w K} i dawną umowę {ze H}.',
    '„Albo {G} odda {I.acc}, albo drogi {do K} będą zamknięte” — {A:oznajmił} {A}.',
    `{C} {C:policzył} głosy <dwukrotnie|na palcach|raz jeszcze>, bo {M} {M:próbował} głosować za siebie i
    za <nieobecnego brata|chorego ojca|zmarłego wuja>.`,
    'Ustalono, że {B} i {C} pojadą {do K}, a {A} zostanie {w L} na straży.',
    `Po głosowaniu {N} {N:wyszedł}, trzaskając drzwiami, a {M} {M:pospieszył} za {N~nim/nią} z
    pojednawczym słowem od {G.gen}.`,
    `Spisano <trzy|cztery|dwa> postanowienia; najważniejsze mówiło, że {G} nie wejdzie {do L} bez zgody
    {N.gen}.`,
    `^{A} {A:zaproponował} rozejm do <pierwszego śniegu|końca jarmarku|pełni>, na co {N} {N:przystał}, a
    {M} nie.`,
    'Spór o to, czy {L.acc} ma utrzymywać {G}, czy {H}, {B:przeciął} {B} jednym pytaniem o podatki.',
  ],
)

export const rite = scene(
  'rite',
  [
    'Obrzęd, na który {N} {N:zaprosił} {A.acc}, odbywał się {w L} raz na <siedem|dziesięć|dwanaście> lat.',
    '{G} {G:święcił} tego dnia pamięć {M.gen}, więc {w L} zebrał się tłum, a wśród niego {A}.',
    '„Dziś {w L} nikt nie podnosi broni” — {N:zapowiedział} {N}, po czym {N:odebrał} {A.dat} nóż.',
  ],
  [
    '^{N} {N:uniósł} {I.acc} nad głowę i {N:wymówił} słowa, których {B} nie {B:potrafił} powtórzyć.',
    '^{A} {A:złożył} przysięgę na {I.acc}, a {C} {C:poświadczył} ją w imieniu {H.gen}.',
    'Kadzidło sprowadzono {z K}, lecz {B} {B:rozpoznał} w nim zioła, przed którymi {N:przestrzegał} {N}.',
    'W chwili ciszy {M} {M:zaśmiał} się głośno, za co {G} {G:wyprosił} {M~go/ją} {z L}.',
    `Kto dotknął {I.gen}, ten, według {N.gen}, nie miał zaznać kłamstwa, więc {A} i {B}
    {A+B~podeszli/podeszły} po kolei.`,
    'Starszyzna {G.gen} pobłogosławiła {C.acc} na drogę {do K}.',
    `Świece zgasły jednocześnie, a gdy {N} {N:skrzesał} ogień, {I.gen} nie było już na ołtarzu, za to {B}
    {B:widział} cień {M.gen}.`,
    `{C}, {C~nieprzywykły/nieprzywykła} do takich uroczystości, {C:stał} za {N.ins} i {C:powtarzał} każdy
    ruch.`,
    `Na zakończenie {G} {G:obdarował} gości chlebem, a {A.dat} {N:podał} {N} <wstążkę|gałązkę
    ostrokrzewu|woreczek soli>, co {w K} uchodzi za zaproszenie.`,
  ],
)
