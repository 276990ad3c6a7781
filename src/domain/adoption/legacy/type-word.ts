import { type EntityType, nameKey } from '#protocol/atoms.js'

const words: ReadonlyMap<string, EntityType> = new Map([
  ['npc', 'NPC'],
  ['organizacja', 'Grupa'],
  ['organizacje', 'Grupa'],
  ['grupa', 'Grupa'],
  ['grupy', 'Grupa'],
  ['lokacja', 'Lokacja'],
  ['lokacje', 'Lokacja'],
  ['mapa', 'Mapa'],
  ['mapy', 'Mapa'],
  ['region', 'Region'],
  ['regiony', 'Region'],
  ['gracz', 'Gracz'],
  ['gracze', 'Gracz'],
  ['postać', 'Postać'],
  ['postaci', 'Postać'],
  ['postać (gracz)', 'Postać'],
  ['postaci (gracze)', 'Postać'],
  ['przedmiot', 'Przedmiot'],
  ['przedmioty', 'Przedmiot'],
])

/**
 * The type that a section header or a `@typ` value names; `Organizacja` counts as Grupa (FORMATS 1.2, 10).
 * Null: free text.
 */
export const typeOfWord = (text: string): EntityType | null => words.get(nameKey(text)) ?? null

/**
 * The type that a `@typ` gives to an index block. Gracze belong to the contributor store, so that word is
 * free text here.
 */
export const indexTypeOf = (text: string): EntityType | null => {
  const type = typeOfWord(text)
  return type === 'Gracz' ? null : type
}
