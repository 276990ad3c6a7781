import { type DocumentKind, documentPart, repeatTitle } from './document-kind.js'

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
