/** Ordinary words of the demo's prose: the lemma, then forms of it that are in texts. */
const rows = `
człowiek: ludzie ludzi ludziom ludźmi ludziach
rok: roku lata lat latach latami
dzień: dni dnia dniach dniami
dziecko: dzieci dzieciom
ręka: ręce ręki ręku rękami rąk
oko: oczy oczu oczach
tydzień: tygodnia tygodniu
pies: psa psy psem
brat: braci bracia
pieniądz: pieniądze pieniędzy
iść: szedł szła szli
nieść: niósł niosła
być: był była było byli były są jest
mieć: miał miała mają ma mam
móc: mógł mogła może
miesiąc: miesiące miesiącu miesiąca
koń: konie koni konia
łódź: łodzi łodzią łodziach
noc: nocy
pieśń: pieśni
świeca: świecą świec świecę
studnia: studni studnię
woda: wody wodę
most: mostu moście
miasto: miasta mieście
świadek: świadka świadków świadkiem świadkach świadkami
pieczęć: pieczęci pieczęcią
droga: drogi drogą drogę drodze dróg drogami
rzeka: rzeki rzece rzek rzekę
ogień: ognia ogniem
kamień: kamienia kamieniem
śmiech: śmiechu śmiechem
popiół: popiołu popiołem
dzwon: dzwonu dzwonem dzwonami
zima: zimy zimę zimą
księga: księgi księgach ksiąg
ziemia: ziemi ziemię
sen: snu sny snem snów
powódź: powodzi powodzią
wdowa: wdowy wdowom
mieszkać: mieszkał mieszkała
dług: długu długi długów
łąka: łąki łąkach łąk
ryba: ryby ryb
sól: soli solą
miód: miodu miodem
róg: rogu rogiem
strażnik: strażnika strażnicy strażników
kupiec: kupca kupcy kupców
`

/** The lemma of each listed form. */
export const demoLemmas: ReadonlyMap<string, string> = new Map(
  rows
    .trim()
    .split('\n')
    .flatMap(row => {
      const [lemma = '', forms = ''] = row.split(': ')
      return forms.split(' ').map(form => [form, lemma] as const)
    }),
)
