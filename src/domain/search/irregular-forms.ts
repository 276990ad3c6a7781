import { foldLetters } from './fold-letters.js'

/** The closed list of POLISH.md 9, and the words of 2.2 whose stem vowel alternates: a line is one word. */
const lists = `
człowiek człowieka człowiekowi człowiekiem człowieku człowiecze ludzie ludzi ludziom ludźmi ludziach
dziecko dziecka dziecku dzieckiem dzieci dzieciom dziećmi dzieciach
brat brata bratu bratem bracie bracia braci braciom braćmi braciach
ksiądz księdza księdzu księdzem księże księża księży księżom księżmi księżach
książę księcia księciu księciem książęta książąt książętom książętami książętach
przyjaciel przyjaciela przyjacielowi przyjacielem przyjacielu przyjaciele przyjaciół przyjaciołom przyjaciółmi przyjaciołach
tydzień tygodnia tygodniowi tygodniem tygodniu tygodnie tygodni tygodniom tygodniami tygodniach
dzień dnia dniowi dniem dniu dnie dni dniom dniami dniach
oko oka oku okiem oczy oczu oczom oczami oczach
ucho ucha uchu uchem uszy uszu uszom uszami uszach
ręka ręki ręce rękę ręką ręko rąk rękom rękami rękoma rękach
pieniądz pieniądza pieniądze pieniędzy pieniądzom pieniędzom pieniędzmi pieniądzach
koń konia koniowi koniem koniu konie koni koniom końmi koniach
gość gościa gościowi gościem gościu goście gości gościom gośćmi gościach
liść liścia liściowi liściem liściu liście liści liściom liśćmi liściach
krew krwi krwią krwie
brew brwi brwią brwiami brwiach brwiom
wieś wsi wsią wsie wsiom wsiami wsiach
pies psa psu psem psie psy psów psom psami psach
lew lwa lwu lwem lwie lwy lwów lwom lwami lwach
sen snu snowi snem śnie sny snów snom snami snach
mech mchu mchem mchy mchów
bez bzu bzem bzy bzów
len lnu lnem lny
dech tchu tchem
cześć czci czcią
szew szwu szwem szwy szwów
kieł kła kłem kle kły kłów kłom kłami kłach
osioł osła osłu osłem ośle osły osłów osłom osłami osłach
kozioł kozła kozłowi kozłem koźle kozły kozłów kozłom kozłami kozłach
kocioł kotła kotłowi kotłem kotle kotły kotłów kotłom kotłami kotłach
anioł anioła aniołowi aniołem aniele anioły aniołów aniołom aniołami aniołach
kościół kościoła kościołowi kościołem kościele kościoły kościołów kościołom kościołami kościołach
popiół popiołu popiołem popiele popioły popiołów popiołami popiołach
las lasu lasowi lasem lesie lasy lasów lasom lasami lasach
świat świata światu światem świecie światy światów światom światami światach
kwiat kwiatu kwiatowi kwiatem kwiecie kwiaty kwiatów kwiatom kwiatami kwiatach
wiatr wiatru wiatrowi wiatrem wietrze wiatry wiatrów wiatrom wiatrami wiatrach
lato lata latu latem lecie lat latom latami latach
ciasto ciasta ciastu ciastem cieście ciast ciastom ciastami ciastach
ciało ciała ciału ciałem ciele ciał ciałom ciałami ciałach
gniazdo gniazda gniazdu gniazdem gnieździe gniazd gniazdom gniazdami gniazdach
gwiazda gwiazdy gwieździe gwiazdę gwiazdą gwiazdo gwiazd gwiazdom gwiazdami gwiazdach
miara miary mierze miarę miarą miar miarom miarami miarach
wiara wiary wierze wiarę wiarą wiar wiarom wiarami wiarach
ofiara ofiary ofierze ofiarę ofiarą ofiar ofiarom ofiarami ofiarach
miasto miasta miastu miastem mieście miast miastom miastami miastach
jazda jazdy jeździe jazdę jazdą jazd
obiad obiadu obiadowi obiadem obiedzie obiady obiadów obiadom obiadami obiadach
sąsiad sąsiada sąsiadowi sąsiadem sąsiedzie sąsiedzi sąsiadów sąsiadom sąsiadami sąsiadach
święto święta świętu świętem święcie świąt świętom świętami świętach
zwierzę zwierzęcia zwierzęciu zwierzęciem zwierzęta zwierząt zwierzętom zwierzętami zwierzętach
dziewczę dziewczęcia dziewczęciu dziewczęciem dziewczęta dziewcząt dziewczętom dziewczętami dziewczętach
imię imienia imieniu imieniem imiona imion imionom imionami imionach
ramię ramienia ramieniu ramieniem ramiona ramion ramionom ramionami ramionach
plemię plemienia plemieniu plemieniem plemiona plemion plemionom plemionami plemionach
księga księgi księdze księgę księgą ksiąg księgom księgami księgach
ojciec ojca ojcu ojcem ojcze ojcowie ojców ojcom ojcami ojcach
dąb dębu dębowi dębem dębie dęby dębów dębom dębami dębach
ząb zęba zębowi zębem zębie zęby zębów zębom zębami zębach
mąż męża mężowi mężem mężu mężowie mężów mężom mężami mężach
sędzia sędziego sędziemu sędzim sędzią sędziowie sędziów sędziom sędziami sędziach
hrabia hrabiego hrabiemu hrabią hrabio hrabiowie hrabiów hrabiom hrabiami hrabiach
bóg boga bogu bogiem boże bogowie bogów bogom bogami bogach
zły zła złe złego złej złemu złą złych złym złymi źli
`

const keys = new Map<string, string>()
for (const line of lists.trim().split('\n')) {
  const forms = line.split(' ')
  const key = foldLetters(forms[0] ?? '')
  for (const form of forms) keys.set(form, key)
  for (const form of forms) if (!keys.has(foldLetters(form))) keys.set(foldLetters(form), key)
}

/** The keys of the forms: the first word of the line without diacritics. Forms without diacritics count too. */
export const irregularForms: ReadonlyMap<string, string> = keys
