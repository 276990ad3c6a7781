import { template } from '../template.js'
import { type DocumentKind, documentPart, repeatTitle } from './document-kind.js'

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
