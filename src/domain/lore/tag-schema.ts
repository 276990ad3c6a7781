import { type EntityType, entityTypes } from '#protocol/atoms.js'

/** Who may write a row of the tag into the lore: `batch` is the PU batch only, `import` adoption only. */
export type TagWriter = 'anyone' | 'batch' | 'import'

/** One line of the tag schema. A tag has several rules when groups of types treat it differently. */
export interface TagRule {
  /** Without the at sign, NFC, lower case. */
  readonly tag: string
  /** Null: all types. */
  readonly types: ReadonlyArray<EntityType> | null
  /** Whether a row may carry a validity range. */
  readonly dated: boolean
  /** Whether several values may be active at once. */
  readonly multi: boolean
  readonly writer: TagWriter
  /** The allowed values; null when any text is allowed. */
  readonly values: ReadonlyArray<string> | null
}

const rule = (
  tag: string,
  marks: Marks,
  types: ReadonlyArray<EntityType> | null = null,
  more: { readonly writer?: TagWriter; readonly values?: ReadonlyArray<string> } = {},
): TagRule => ({
  tag,
  types,
  dated: marks.endsWith('D'),
  multi: marks.startsWith('m'),
  writer: more.writer ?? 'anyone',
  values: more.values ?? null,
})

/** The tag schema (FORMATS 1.4): every known key, in the order in which `GET /schema` lists them. */
export const tagRules: ReadonlyArray<TagRule> = [
  rule('typ', '1D', null, { values: entityTypes }),
  rule('alias', 'mD'),
  rule('nazwa_svc', 'mD'),
  rule('nick', 'mD'),
  rule('status', '1D'),
  rule('info', 'm'),
  rule('plik', '1'),
  rule('ref', '1D'),
  rule('grupa', 'mD'),
  rule('pochodzenie', '1'),
  rule('tagi', 'm'),
  rule('lokacja', '1D', ['NPC', 'Grupa', 'Lokacja', 'Mapa', 'Postać', 'Przedmiot']),
  rule('należy_do', '1D', ['NPC', 'Postać', 'Przedmiot']),
  rule('generyczne_nazwy', 'm', ['NPC', 'Przedmiot']),
  rule('chat', '1', ['NPC', 'Grupa', 'Postać']),
  rule('chat', 'm', ['Gracz']),
  rule('drzwi', 'mD', ['Lokacja']),
  rule('region', '1D', ['Lokacja', 'Region']),
  rule('zawiera', 'm', ['Lokacja'], { writer: 'import' }),
  rule('outerior', '1', ['Lokacja'], { values: ['tak', 'nie'] }),
  rule('gameid', '1', ['Mapa']),
  rule('gameid', 'mD', ['Gracz']),
  rule('url', '1', ['Mapa']),
  rule('wymiary', '1', ['Mapa']),
  rule('koordynaty', '1', ['Mapa']),
  rule('slug', '1', ['Mapa']),
  rule('ilość', '1D', ['Przedmiot']),
  rule('pu_startowe', '1', ['Postać']),
  rule('pu_suma', '1', ['Postać'], { writer: 'batch' }),
  rule('pu_zdobyte', '1', ['Postać'], { writer: 'batch' }),
  rule('pu_nadmiar', '1', ['Postać'], { writer: 'batch' }),
  rule('stan', '1D', ['Postać']),
  rule('karta_postaci', '1', ['Postać']),
  rule('tematy_zastrzezone', '1', ['Postać']),
  rule('przedmiot_specjalny', 'm', ['Postać']),
  rule('reputacja_pozytywna', 'mD', ['Postać']),
  rule('reputacja_neutralna', 'mD', ['Postać']),
  rule('reputacja_negatywna', 'mD', ['Postać']),
  rule('dodatkowe_informacje', 'm', ['Postać']),
  rule('rola', 'mD', ['Gracz']),
  rule('klucz_api', 'm', ['Gracz']),
  rule('tematy', '1', ['Gracz']),
]

const unique = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)]

export const tagKeys = unique(tagRules.map(one => one.tag))

/** Keys that a block of any type may carry. */
export const universalTags = tagRules.filter(one => one.types === null).map(one => one.tag)

/** Keys of a type beyond the universal ones. */
export const tagsOfType = (type: EntityType): ReadonlyArray<string> => typed.get(type) ?? []

/** Whether any type knows the key; a block with an unknown one has the finding `UnknownTag` (D22). */
export const isKnownTag = (tag: string): boolean => known.has(tag)

/** The rule of a key on blocks of a type; null where that type does not accept it. */
export const tagRule = (tag: string, type: EntityType): TagRule | null =>
  rulesByType.get(type)?.get(tag) ?? null

/** Keys that stay with the block that carries `@ref`; all others come from its target (FORMATS 1.4). */
export const localUnderRef: ReadonlySet<string> = new Set([
  'typ',
  'ref',
  'alias',
  'nick',
  'nazwa_svc',
  'status',
])

type Marks = '1' | '1D' | 'm' | 'mD'

const typed: ReadonlyMap<EntityType, ReadonlyArray<string>> = new Map(
  entityTypes.map(type => [
    type,
    unique(tagRules.filter(one => one.types?.includes(type)).map(one => one.tag)),
  ]),
)

const known: ReadonlySet<string> = new Set(tagKeys)

const rulesByType: ReadonlyMap<EntityType, ReadonlyMap<string, TagRule>> = new Map(
  entityTypes.map(type => [
    type,
    new Map(
      [...tagRules]
        .filter(one => one.types === null || one.types.includes(type))
        .map(one => [one.tag, one] as const),
    ),
  ]),
)
