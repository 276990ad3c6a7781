import { type Template, template } from '../template.js'

/** Whether a document is part of the game's world. */
type DemoDiegesis = 'in-game' | 'out-of-game' | 'mixed'

/** Who vouches for a document. */
type DemoAuthority = 'rada' | 'player-ip' | 'external'

/**
 * A section: its heading, null for the text below the title, and the sentences that it draws from. Slots: N, M, P are
 * people, K a town, L a place, G and H groups, I a thing.
 */
export interface DocumentPart {
  readonly heading: string | null
  readonly sentences: ReadonlyArray<Template>
  /** How many sentences a document has of it; all of them where it has fewer. */
  readonly count: number
}

/** Documents of one folder of the works tree that are written alike. */
export interface DocumentKind {
  readonly folder: string
  /** One for each document. */
  readonly titles: ReadonlyArray<Template>
  /** What the leading list states; null: the documents have no list. */
  readonly standing: { readonly diegesis: DemoDiegesis; readonly authority: DemoAuthority } | null
  readonly parts: ReadonlyArray<DocumentPart>
}

const documentPart = (
  heading: string | null,
  count: number,
  sentences: ReadonlyArray<string>,
): DocumentPart => ({ heading, sentences: sentences.map(template), count })

/** The same title pattern for `count` documents, each with names of its own. */
const repeatTitle = (title: string, count: number): ReadonlyArray<Template> =>
  Array.from({ length: count }, () => template(title))

/** A text that is written over several lines of code, as one line. */
export const unwrapText = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .join(' ')

export const chronicles: DocumentKind = {
  folder: 'kroniki',
  titles: repeatTitle('Kronika {K.gen}', 5),
  standing: { diegesis: 'in-game', authority: 'player-ip' },
  parts: [
    documentPart('Początki', 4, [
      `Najstarsza karta mówi o <trzech|czterech|siedmiu> rodzinach, które przybyły {do K} <po wielkiej
      powodzi|w roku suszy|przed pierwszą wojną o brody>, wiodąc <woły i owce|konie i kozy|psy i gęsi>.`,
      'Pierwszy most {N:postawił} tu {N}, a kamień na przyczółek przywieziono {z L}.',
      `Ziemię nadano {G.dat} pod warunkiem, że co roku odda <dwie|trzy|cztery> miary <miodu|wosku|soli>
      do wspólnego spichlerza.`,
      `Wokół palisady rosły wówczas <dęby|olchy|jesiony>; {N} {N:pozwolił} wyciąć tylko co <trzeci|piąty>
      pień, bo resztę lasu uważano za świętą.`,
      `Spór o źródło rozsądzono {w L}: {N} {N:otrzymał} <wodę poranną|prawo do młyna>, {M} zaś <łąkę nad
      strumieniem|prawo do połowu>.`,
      `Dzwon odlano z <mieczy zdobytych na najeźdźcach|miedzianych garnków całej osady>, a imię dla niego
      {N:wybrał} {N}.`,
      `O tym, skąd wzięła się nazwa, {N} i {M} {N+M~pisali/pisały} sprzecznie, i żadnej z tych opowieści
      nie udało się dotąd obalić.`,
      'Wtedy też {G} {G:zbudował} swój pierwszy dom, niedaleko {L.gen}, z bramą od wschodu.',
    ]),
    documentPart('Lata niepokoju', 4, [
      `W roku <głodu|zarazy|czarnych śniegów> zamknięto bramy na <czterdzieści|sześćdziesiąt|sto> dni, a
      {N} {N:wydzielał} ziarno według listy, którą {M:spisał} {M}.`,
      `Najeźdźcy doszli aż {do L}; zatrzymał ich tam nie mur, lecz fortel: {N} {N:otworzył} śluzy i
      {N:zalał} łąki.`,
      '{G} {G:oskarżył} {H.acc} o zdradę, a dowodem miał być list znaleziony przy {M.loc}.',
      `Pożar zaczął się {w L} i w jedną noc strawił <spichlerz|dwie ulice|skład drewna>; {I.acc}
      {N:wyniósł} z ognia {N}.`,
      `Przez dwie zimy nikt nie bił monety, toteż płacono <solą|skórami kun|bursztynem>, a rachunki
      {N:prowadził} {N}.`,
      `Kiedy {M} {M:zażądał} haraczu, rada odpowiedziała jednym zdaniem, którego kronikarz wolał nie
      powtarzać.`,
      `Pokój zawarto {w L}, przy wspólnym stole; świadkami {N+M~byli/były} {N} i {M}, lecz pieczęć
      {G.gen} złamano już po <miesiącu|tygodniu|trzech dniach>.`,
      `Z tamtych lat pozostała pieśń o {N.loc}, śpiewana do dziś <na weselach|przy żniwach|w łodziach>,
      choć połowę zwrotek zmieniono.`,
    ]),
    documentPart('Za naszych dni', 3, [
      `Starszyzna zbiera się dziś {w L} <co dziesięć dni|przed każdym targiem> i słucha skarg, zanim
      zajmie się podatkami.`,
      '{G} {G:przejął} opiekę nad drogami, lecz mostu nad starym korytem nie naprawiono do tej pory.',
      '{N} {N:sprowadził} nasiona <gryki|lnu|chmielu> i {N:pokazał}, jak je siać na mokrych polach.',
      'O {I.acc} pytają przybysze z dalekich stron; odpowiadamy wszystkim, że {I} {I:zaginął}.',
      `Rzeka cofnęła się o <dwadzieścia|czterdzieści> kroków i odsłoniła fundamenty, na których
      {M:rozpoznał} {M} znaki {H.gen}.`,
      `Najmłodsi nie pamiętają już powodzi, dlatego {N} co rok prowadzi ich {do L} i pokazuje kreski na
      ścianie.`,
      `Kto chce dopisać coś do kroniki, niech przyjdzie ze świadkiem i świecą, bo karty przechowuje się
      {w L}, w ciemnej izbie.`,
    ]),
  ],
}

export const legends: DocumentKind = {
  folder: 'podania',
  titles: repeatTitle('Podanie o {I.loc}', 5),
  standing: { diegesis: 'in-game', authority: 'player-ip' },
  parts: [
    documentPart('Jak opowiadają starzy', 6, [
      `Było to <w czasach, gdy rzeki płynęły w drugą stronę|za czterech królów|przed wielką powodzią>:
      {N} {N:szedł} {do K} i {N:niósł} {I.acc} pod płaszczem.`,
      `Na rozstajach {N:spotkał} {N} <starca bez cienia|kobietę z koszem popiołu|psa o ludzkich oczach> i
      {N:usłyszał} trzy pytania: na pierwsze {N:odpowiedział} prawdą, na drugie milczeniem, a na trzecie
      śmiechem, i tego śmiechu nie wybaczono {N~mu/jej} nigdy.`,
      `Wtedy {I} {I:stał} się {I~ciężki/ciężka/ciężkie} jak młyński kamień i {I:wpadł} do studni, którą
      do dziś pokazują {w L}.`,
      `Studnię przeszukiwano siedem dni: {M} {M:spuścił} w głąb <łańcuch|linę z końskiego włosia|własny
      pas>, lecz to, co wyciągnięto, było suche i gorące.`,
      `Od tamtej nocy słychać {w L} <kroki|dzwon|szept>, a kto odpowie na wołanie, ten budzi się o świcie
      {w K} bez butów i bez imienia.`,
      'Powiadają też, że {M} {M:zapłacił} za tę wiedzę <wzrokiem|głosem|siedmioma latami życia>.',
      `Staruszki każą dzieciom nosić w kieszeni <sól|orzech|guzik z rogu>, kiedy wysyłają je po wodę {do
      L}.`,
    ]),
    documentPart('Co mówią inni', 4, [
      'Ludzie {z G} opowiadają to inaczej: według nich {I.acc} {M:ukradł} {M}, a studnię zasypano ze wstydu.',
      `W księgach {G.gen} nie ma o tym ani słowa, jest za to rachunek za <dwie liny|nowe
      cembrowanie|siedem świec> z podpisem {N.gen}.`,
      `Wędrowny lirnik śpiewał tę historię {w K} z innym końcem, w którym {N} {N:powrócił} po stu latach
      i nikogo już nie {N:poznał}.`,
      'Najrozsądniejsi twierdzą, że {I} nigdy nie {I:istniał}, lecz i oni po zmroku omijają {L.acc}.',
      `{M} {M:próbował} sprawdzić podanie z łopatą w ręku; {M:wykopał} garnek popiołu i z nikim już o tym
      nie {M:rozmawiał}.`,
      `Opowieść spisano tak, jak {N:powtarzał} ją {N}, wraz z przerwami na <kaszel|łyk miodu|dokładanie
      do ognia>.`,
    ]),
  ],
}

export const letters: DocumentKind = {
  folder: 'listy',
  titles: repeatTitle('List do {M.gen}', 5),
  standing: { diegesis: 'in-game', authority: 'player-ip' },
  parts: [
    documentPart(null, 1, ['{M~Szanowny/Szanowna} {M.voc}!', 'Pozdrawiam Cię, {M.voc}!']),
    documentPart(null, 5, [
      `Piszę do Ciebie {z L}, bo <poczta odchodzi stąd raz na dziesięć dni|jutro odpływa ostatnia
      łódź|posłaniec czeka już w siodle>.`,
      `Pytasz o {I.acc}: {N~widziałem/widziałam} {I~go/ją/je} na własne oczy {w K}, lecz nikt nie
      pozwolił mi podejść bliżej niż na trzy kroki.`,
      '{G} płaci teraz podwójnie za <mapy|sól|milczenie>, więc uważaj, z kim dzielisz stół.',
      '{P} {P:obiecał} mi eskortę, ale od tygodnia nie pokazuje się {w K} i zaczynam podejrzewać najgorsze.',
      `Nie wierz plotkom, że mam dług u ludzi {z G}: pieniądze {P:pożyczał} {P}, a ja tylko
      {N~trzymałem/trzymałam} świecę.`,
      `Jeśli dotrzesz {do K} przede mną, zapytaj o {P.acc} i powiedz, że przysyła Cię ktoś, kto pamięta
      zimę spędzoną {w L}.`,
      `Posyłam Ci <dwa serki|słoik miodu|trochę suszonych jabłek>; reszta skrzynki należy się {P.dat} i
      proszę, żeby tym razem naprawdę doszła.`,
      `Spal ten list, a popiół <wrzuć do rzeki|zmieszaj z ziemią>, bo {G} potrafi czytać nawet z popiołu.`,
      'Pogoda jest tu podła: od <trzech|pięciu> dni leje, drogi {do K} rozmokły, a konie kaszlą.',
    ]),
    documentPart(null, 1, ['{N~Twój stary druh/Twoja dawna towarzyszka}, {N}.', 'Z wyrazami szacunku, {N}.']),
    documentPart('Dopisek innej ręki', 2, [
      'List znaleziono pod progiem {w L}; pieczęć była nienaruszona, a atrament prawie świeży.',
      '{M} nigdy go nie {M:przeczytał}; odpis przechowuje {G}.',
      `Na odwrocie ktoś narysował drogę {do K} i trzy krzyżyki, których znaczenia {P} nie {P:umiał}
      wyjaśnić.`,
      `Data jest starta, lecz wzmianka o {P.loc} pozwala sądzić, że list powstał tuż przed
      <powodzią|pożarem|wyborem nowej rady>.`,
    ]),
  ],
}

export const townDescriptions: DocumentKind = {
  folder: 'opisy',
  titles: repeatTitle('{K} i okolice', 5),
  standing: { diegesis: 'mixed', authority: 'rada' },
  parts: [
    documentPart('Położenie', 4, [
      `{K} {K~leży/leży/leży/leżą} <w zakolu rzeki|między dwoma wzgórzami|na skraju puszczy|u stóp skalnego
      progu>, <dzień|dwa dni|trzy dni> marszu od najbliższej przeprawy.`,
      `Od północy miasto osłania <wał|ostrokół|pas mokradeł>, a jedyna droga dla wozów prowadzi w pobliżu
      {L.gen}.`,
      'Latem wody jest mało, dlatego każda studnia ma swojego strażnika; najstarszej pilnuje {N}.',
      'Tutejszy kamień jest <szary|rudy|jasny> i kruchy, więc domy stawia się niskie, z dachem prawie do ziemi.',
      `Na targu sprzedaje się głównie <sól, dziegieć i wosk|wełnę, skóry i ser|ryby, sieci i liny>, a wagę
      sprawdza człowiek {z G}.`,
      'Kto przybywa łodzią, najpierw widzi {L.acc}, a dopiero później bramę.',
      `Zimą mgła stoi tu tak długo, że drogę znaczy się <dzwonkami|latarniami|beczkami z płonącą smołą>.`,
    ]),
    documentPart('Ludzie i obyczaje', 4, [
      'Porządku strzeże {G}, sądzi zaś {N}, {N~którego/której} wyroki są krótkie i rzadko zaskarżane.',
      `Gościowi podaje się <chleb z solą|miskę polewki|kubek ciepłego piwa>, zanim ktokolwiek zapyta go o
      imię.`,
      `Najgłośniejszym świętem jest Noc <Łodzi|Świec|Dzwonów>, podczas której {M} prowadzi pochód {do L}.`,
      'O zmarłych mówi się tu w czasie teraźniejszym, co obcych <dziwi|śmieszy|przeraża>.',
      `{N} i {M} od lat nie podają sobie ręki, więc zaproszenie jednej strony zamyka drzwi drugiej.`,
      'Dzieci uczy się liczenia na monetach, a czytania na nagrobkach; taki zwyczaj {G:wprowadził} {G}.',
      'Wesela trwają tu trzy dni, pogrzeby dwa, a sprawy spadkowe, które prowadzi {M}, nie mają końca.',
    ]),
    documentPart('Uwagi dla narratora', 3, [
      'Scenę {w L} warto zacząć od zapachu albo dźwięku, a opis murów zostawić na później.',
      `Jeśli drużyna szuka {I.gen}, niech trop prowadzi przez {N.acc}; inne drogi kończą się <plotką|ślepym
      zaułkiem|bójką>.`,
      '{M} nie ginie w pierwszej scenie i nie zdradza {G.gen} bez ważnego powodu.',
      'Ceny są o połowę wyższe niż gdzie indziej, chyba że któryś z graczy ma znak {G.gen}.',
      `Sesja w tym mieście wymaga zgody Rady, gdy gracze chcą <spalić most|zmienić władze|otworzyć kryptę>.`,
      'Spotkanie {ze N} najlepiej rozegrać bez rzutów, jako rozmowę.',
    ]),
  ],
}

export const statutes: DocumentKind = {
  folder: 'statuty',
  titles: repeatTitle('Statut {G.gen}', 5),
  standing: { diegesis: 'in-game', authority: 'rada' },
  parts: [
    documentPart('Przyjęcie', 4, [
      'Kto chce wstąpić w nasze szeregi, staje {w L} o świcie, bez broni i bez świadków.',
      'Za kandydata ręczą dwie osoby, z których jedną musi być {N} albo ktoś przez {N.acc} wskazany.',
      'Przysięgę składa się na {I.acc}; krzywoprzysięstwo karze się wygnaniem.',
      `Wpisowe wynosi <dziesięć|piętnaście|dwadzieścia> koron albo <miesiąc|dwa miesiące> pracy na rzecz
      wspólnego domu.`,
      'Nie przyjmuje się nikogo, kto służy {H.dat} lub jest winien pieniądze {M.dat}.',
      'Nowy członek przez rok nosi znak bez obramowania i zasiada najbliżej drzwi, jak {M:nakazał} kiedyś {M}.',
    ]),
    documentPart('Powinności', 4, [
      `Każdy oddaje do skarbca <dziesiątą|ósmą> część zarobku, a skarb trzyma {N}, póki nie zrezygnuje przy
      świadkach.`,
      'Na wezwanie {M.gen} stawiamy się {w K} najpóźniej <trzeciego|piątego> dnia, z jedzeniem na drogę.',
      'O sprawach wspólnych milczy się wobec obcych, a zwłaszcza wobec ludzi {z H}.',
      'Narzędzia wzięte ze wspólnego domu oddaje się czyste, naostrzone i przed zmrokiem.',
      'Raz do roku każdy pracuje trzy dni przy naprawach {w L}; nie zwalnia z tego ani wiek, ani urząd.',
      'Chorym i wdowom wypłaca się zapomogę, o której wysokości rozstrzyga {M}.',
    ]),
    documentPart('Kary', 3, [
      'Za spóźnienie płaci się <miedziaka|beczkę piwa>, za kłótnię przy stole podwójnie.',
      'Kto zdradzi miejsce, w którym ukryto {I.acc}, traci znak, imię i prawo powrotu.',
      'Karę wymierza {N}, odwołanie rozpatruje {M}, a dalszych odwołań nie ma.',
      'Wygnanego odprowadza się na gościniec {do K} i daje mu się chleb na jeden dzień.',
      'Spory {ze H} rozstrzyga się {w L}, zawsze w dzień i zawsze przy świadkach.',
    ]),
  ],
}

export const herbal: DocumentKind = {
  folder: 'zielnik',
  titles: ['Mgielnik srebrzysty', 'Krwawiec stepowy', 'Dzwonnik nocny', 'Wężowiec rudy', 'Popielnik'].map(
    template,
  ),
  standing: null,
  parts: [
    documentPart('Wygląd i występowanie', 4, [
      `Rośnie <na podmokłych łąkach|w szczelinach murów|pod starymi dębami> w okolicy {K.gen}, najobficiej
      niedaleko {L.gen}.`,
      `Łodyga sięga <kolan|pasa>, liście są <wąskie i szorstkie|okrągłe i lśniące|pierzaste>, a kwiat otwiera
      się tylko <po deszczu|w nocy|podczas pełni>.`,
      'Pierwszy opis {N:sporządził} {N}, choć rysunek na marginesie {M:dodał} zapewne {M}.',
      `Korzeń pachnie <miodem|żelazem|mokrą ziemią> i barwi palce na <żółto|fioletowo|brunatno>, a barwy tej
      nie da się zmyć przez kilka dni.`,
      'Nasiona roznoszą <ptaki|mrówki|owce>, dlatego kępy spotyka się wzdłuż dawnych szlaków {do K}.',
    ]),
    documentPart('Zastosowanie', 3, [
      `Napar z suszonych liści <obniża gorączkę|uspokaja oddech|odpędza sen>; pije się go na ciepło, małymi
      łykami.`,
      'Okładem z tego ziela {N} {N:wyleczył} ranę {M.gen}, choć inni medycy dawno się poddali.',
      'Popiół z łodyg dodaje się do <szkła|mydła|szkliwa>; proporcje zna tylko {G} i strzeże ich jak skarbu.',
      'Świeży sok wzmacnia cięciwy i sznury, o czym wiedzą łucznicy {z K}.',
      'Za garść suszu płaci się {w K} <dwie korony|pół korony|cztery talary>, a zimą dwa razy tyle.',
    ]),
    documentPart('Przestrogi', 2, [
      'Nie zbiera się go <gołymi rękami|żelaznym nożem>, a już na pewno nie w pobliżu grobów.',
      'Nadmiar wywołuje sny, z których trudno się obudzić; {M} {M:spał} po nim trzy doby.',
      'Bywa mylony z trującym krewniakiem o ciemniejszej żyłce na liściu: tak {N:stracił} wzrok {N}.',
      'Zakazu uprawy pilnuje {G}, więc handel odbywa się {w L}, po cichu i za gotówkę.',
    ]),
  ],
}
