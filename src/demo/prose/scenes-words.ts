import { scene } from './scene.js'

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
