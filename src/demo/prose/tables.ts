import { type Template, template } from '../template.js'

const table = (texts: ReadonlyArray<string>): ReadonlyArray<Template> => texts.map(template)

/** Adverbials at the start of a sentence. */
export const leads = [
  'Tymczasem',
  'Chwilę później',
  'Niedługo potem',
  'Jak się okazało,',
  'Na szczęście',
  'Ostatecznie',
  'Mimo zmęczenia',
  'Nie bez wahania',
  'Ku ogólnemu zdumieniu',
  'W tej samej chwili',
  'Po krótkim namyśle',
  'Wbrew wcześniejszym ustaleniom',
]

/** Titles of sessions; without commas, because a header is split at them. */
export const titles = table([
  'Cienie nad {L.ins}',
  'Droga {do L}',
  'Ślady {w L}',
  'Dług {N.gen}',
  'Ostatnia noc {w L}',
  'Sprawa {I.gen}',
  'Rozmowa {ze N}',
  'Przysięga {G.gen}',
  'Ucieczka {z L}',
  'Cisza {w L}',
  'Powrót {N.gen}',
  'Spór o {I.acc}',
  'Cena {I.gen}',
  '{N} i {G}',
  'Gość {z K}',
  'Tajemnica {L.gen}',
  'List od {N.gen}',
  'Pożegnanie {ze N}',
  'Kto zabrał {I.acc}?',
  'Zanim spłonie {I}',
])

/** What an NPC is known for; S is the person, M another, L and K places, G a group, I a thing. */
export const npcInfos = table([
  `Od lat prowadzi {w L} <skład soli|kram z ziołami|stajnię|małą pracownię> i zna każdego, kto ma sprawy
  {z K}; mówi się, że to właśnie {S} {S:przechował} przed pożarem {I.acc}.`,
  `Dawniej {S:służył} {w K}, skąd {S:odszedł} po kłótni o {I.acc}, a dziś najłatwiej {S~go/ją} spotkać
  {w L}, <zwykle przed świtem|zwykle po zmroku|w dni targowe>.`,
  `Wobec obcych {S~nieufny/nieufna}, wobec ludzi {z G} wręcz {S~wrogi/wroga}; powód zna tylko {M}, a i to
  z drugiej ręki.`,
  `{S:przybył} {do L} z jednym tobołkiem i listem polecającym od {M.gen}; po <roku|dwóch latach|kilku
  zimach> {S:dorobił} się domu oraz długów wobec {G.gen}.`,
  'Pamięta {L.acc} sprzed wielkiej powodzi i chętnie o tym opowiada, póki nikt nie zapyta o {M.acc}.',
  `Handluje wszystkim, czego jeszcze nie opodatkowano, a za odpowiednią cenę potrafi przemycić {z K}
  nawet {I.acc}.`,
  'Choć rodzina {S.gen} pochodzi {z K}, za swój dom {S:uznał} {L.acc}, gdzie {S:złożył} przysięgę {G.dat}.',
  `Nosi przy pasie <klucz bez zamka|pęk ziół|nóż z kościaną rękojeścią>, podarek od {M.gen}, i nigdy nie
  wchodzi {do L} bez pozwolenia.`,
  'Jako jedyny świadek zasadzki pod {L.ins} {S:odmówił} zeznań, za co {M} płaci {S~mu/jej} do dziś.',
  'Zbiera opowieści o {I.loc} i spisuje je na odwrocie rachunków, które wystawia {G}.',
])

export const groupInfos = table([
  `Powstanie swoje {S} zawdzięcza umowie, którą {N} i {M} {N+M~zawarli/zawarły} {w L} <po wojnie o
  brody|w roku wielkiego głodu|tuż przed zarazą>.`,
  'Nowych członków przyjmuje się raz do roku {w L}, a o przyjęciu rozstrzyga {N}, czasem wbrew {M.dat}.',
  'W zamian za ochronę traktu {do K} {S} pobiera opłaty, których wysokość ustala {N}.',
  'W skarbcu ukrytym {w L} przechowuje się podobno {I.acc}; klucz nosi przy sobie {N}.',
  'Od <trzech|pięciu|siedmiu> lat {S} spiera się {ze H} o pierwszeństwo {w K}, a {N} dolewa oliwy do ognia.',
])

export const placeInfos = table([
  `Najlepiej dojść tu od strony {K.gen}, pytając o {N.acc}, {N~który/która} za drobną opłatą wskazuje
  drogę i ostrzega przed ludźmi {z G}.`,
  `Przed laty {G} {G:próbował} przejąć to miejsce, lecz {N} {N:zdołał} obronić je <sprytem|siłą|przed
  sądem>; do dziś opowiada się o tym {w K}.`,
  'Pod posadzką znaleziono niegdyś {I.acc}; znalazcą {N:był} {N}, a znalezisko trafiło {do K}.',
  'W dni targowe zjeżdżają się tu kupcy {z K}, a porządku pilnuje {G} pod okiem {N.gen}.',
  'Miejscowi omijają je po zmroku, odkąd {N} {N:zobaczył} tu cień podobny do {M.gen}.',
  'Każdej wiosny {N} odnawia tu znak {G.gen}, choć {M} wielokrotnie {M:żądał} jego usunięcia.',
])

export const itemInfos = table([
  `Ostatnim znanym właścicielem był ktoś {z G}; potem {N} {N:zgłosił} znalezisko {w L}, żądając nagrody
  od {M.gen}.`,
  `Wykonano na zamówienie {N.gen} <z rudy meteorytowej|z jednego kawałka bursztynu|ze srebra i kości>, a
  poświęcono {w L}.`,
  'Podobno traci moc, gdy dotknie tego {N}; {M} {M:sprawdził} to dwukrotnie {w L} i oba razy {M:żałował}.',
  'Na spodzie widnieje znak {G.gen} oraz imię {N.gen}, zatarte przez <ogień|czas|czyjąś niewprawną rękę>.',
  '{N} {N:oddał} ten przedmiot w zastaw {w K} i do dziś {N:spłacił} tylko połowę długu wobec {M.gen}.',
])

export const mapInfos = table([
  `Plan narysowany przez {N.acc} na podstawie pomiarów, które {M} {M:wykonał} {w L} i okolicy; granice
  sporne zaznaczono przerywaną linią.`,
  'Mapa obejmuje dojścia {do K} oraz przejścia znane tylko ludziom {z G}; ostatnie poprawki {N:naniósł} {N}.',
  'Wschodnia część pozostaje biała: {N} nie {N:wrócił} z wyprawy {do K}, a {M} {M:odmówił} jej dokończenia.',
])

export const regionInfos = table([
  'Kraina rozciąga się od {L.gen} po {K.acc}; o pokój na jej drogach dba {G}, przynajmniej tak twierdzi {N}.',
  'O prawa do tej ziemi spierali się {G} i {H}, póki {N} nie {N:odnalazł} starego nadania {w L}.',
])

export const characterInfos = table([
  '{S:wychował} się {w L} pod okiem {N.gen}; w świat {S:ruszył} po tym, jak {G} {G:zajął} rodzinny dom.',
  'Nosi blizny po spotkaniu {ze M} i list, którego nie wolno otworzyć przed powrotem {do K}.',
  'Szuka {I.gen}, bo tylko tak można spłacić dług zaciągnięty {w L} u {N.gen}.',
  `{S:przysiągł} {N.dat}, że nie wróci {do L}, dopóki {M} żyje; przysięgi tej {S:dotrzymał} jak dotąd
  tylko raz.`,
])

/** Notes of character files, intel and explanations. */
export const notes = table([
  'Ma wobec {N.gen} dług wdzięczności za schronienie {w L}.',
  'Wie, że {M} ukrywa {I.acc} {w K}.',
  'Obiecano {N.dat} milczenie w sprawie {G.gen}.',
  'Przechowuje u {N.gen} kopię mapy dojść {do L}.',
  'Od spotkania {ze M} nie sypia {w L} bez zaryglowanych drzwi.',
])

export const intel = table([
  '{N} wie, kto wyniósł {I.acc} {z L}, i czeka na znak.',
  'Ludzie {z G} szukają {M.gen}; ostatni raz widziano {M~go/ją} {w K}.',
  'Najbliższe spotkanie odbędzie się {w L}, gdy tylko {N} odzyska {I.acc}.',
  'Na drodze {do K} nie należy ufać nikomu, kto powołuje się na {N.acc}.',
  '{M} {M:przekupił} strażników {w L}; zapłatą {I:był} {I}.',
])

export const explanations = table([
  'Rzut na perswazję wobec {N.gen} uznano za udany, bo {A} {A:okazał} znak {G.gen}.',
  'Odnaleziony skarb to {I}; opis przedmiotu zatwierdza Rada.',
  '{B} nie {B:brał} udziału w scenie {w K}.',
  'Czas podróży {do L} skrócono za zgodą uczestników; {C} {C:prowadził} wóz.',
])

/** Intros of session files. */
export const intros = table([
  'Zapis przygód, które zaczęły się {w L}, gdy {N} {N:poprosił} o pomoc obcych.',
  'Kronika spraw związanych {ze G} i tym, co ukryto {w L}.',
  'Wątek prowadzony wokół {L.gen}; główną rolę odgrywa w nim {N}.',
])
