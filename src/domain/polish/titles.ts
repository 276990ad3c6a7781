import { foldDiacritics } from './fold.js'
import { inflectWord } from './inflect.js'

/** Titles and ways to address a person that may stand before a name (POLISH.md 7), in the nominative. */
const nominatives =
  `król królowa książę księżna księżniczka hrabia hrabina baron baronowa baronessa lord lady sir
  pan pani panna panicz mistrz mistrzyni kapitan porucznik sierżant generał wódz kapłan kapłanka arcykapłan
  arcykapłanka mag arcymag czarodziej czarodziejka rycerz strażnik strażniczka burmistrz wojewoda namiestnik radny
  radna brat siostra ojciec matka stary stara młody młoda kupiec kowal karczmarz karczmarka doktor święty święta
  biskup arcybiskup opat starosta kanclerz hetman wielki wielka markiz markiza cesarz cesarzowa car carowa sędzia
  profesor komendant dowódca pułkownik admirał komandor druid druidka szaman szamanka wiedźma wiedźmin`
    .trim()
    .split(/\s+/u)

/** The cases of each form of each title, with and without its diacritics. */
export type Titles = ReadonlyMap<string, number>

const addTitle = (titles: Map<string, number>, title: string): void => {
  for (const { form, cases } of inflectWord(title))
    for (const spelling of new Set([form, foldDiacritics(form)]))
      titles.set(spelling, (titles.get(spelling) ?? 0) | cases)
}

const own = (): Map<string, number> => {
  const titles = new Map<string, number>()
  for (const title of nominatives) addTitle(titles, title)
  return titles
}

/** The forms of the known titles and of more, which are given in the nominative and in lower case. */
export const titleForms = (more: ReadonlyArray<string>): Titles => {
  const titles = own()
  for (const title of more) addTitle(titles, title)
  return titles
}
