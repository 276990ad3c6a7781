import { scene } from './scene.js'

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
