import { type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import { statusOf } from '#src/domain/entities/entity.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { Range } from '#src/domain/lore/rows/days.js'
import type { Block, Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags, signProblem, spellingIn } from '#src/domain/lore/rows/rows.js'
import { isKnownTag, tagRule } from '#src/domain/lore/tag-schema.js'
import { opensChannel } from '#src/domain/lore/topic-text.js'
import { chatReference, isGameId, isKeyHash, isReservedName } from './roster.js'

/** Findings within one `### Person` block, with the line of each row. */
export const personFindings = (file: RepoPath, block: Block): ReadonlyArray<Finding> => {
  const named = ids(block.rows)
  const lines = block.rows.flatMap(row => {
    const kind = kindOf(row)
    if (kind === null) return []
    return kind === 'StrayTag'
      ? [strayTag(file, row, block.heading)]
      : [storeFinding(kind, file, row.line, block.heading)]
  })
  const signs = [block, ...block.rows.filter(row => nameTags.has(row.tag))].flatMap(one => {
    const problem = signProblem('heading' in one ? one.heading : (spellingIn(one) ?? ''))
    return problem === null ? [] : [{ ...problem, file, line: one.line, subject: block.heading }]
  })
  const clash = findOverlaps(named, (left, right) => left.value !== right.value)
  return [
    ...(isReservedName(block.heading) ? [storeFinding('ReservedName', file, block.line, block.heading)] : []),
    ...(named.length === 0 ? [storeFinding('MissingGameId', file, block.line, block.heading)] : []),
    ...clash.map(({ row }) => storeFinding('OverlappingGameId', file, row.line, block.heading)),
    ...signs,
    ...lines,
  ]
}

/** Findings across blocks: one key or one game id at two people. */
export const storeWideFindings = (file: RepoPath, blocks: ReadonlyArray<Block>): ReadonlyArray<Finding> => [
  ...keysTwice(file, blocks),
  ...idsTwice(file, blocks),
]

/** The one tag of a role block. */
export const chatRoleTag = 'chat_rola'

/** A finding of the contributor store. `about` precedes the reason: a name or a line, never a key. */
export const storeFinding = (
  kind: StoreFindingKind,
  file: RepoPath,
  line: number | null,
  subject: string | null,
  about = '',
): Finding => {
  const [severity, reason, suggestion] = kinds[kind]
  return { kind, severity, file, line, subject, reason: `${about}${reason}`, suggestion }
}

/**
 * A finding for a tag that the block does not accept: `ForeignTag` when another block accepts it, else
 * `UnknownTag`.
 */
export const strayTag = (file: RepoPath, row: Row, subject: string): Finding => {
  const kind = row.tag === chatRoleTag || isKnownTag(row.tag) ? 'ForeignTag' : 'UnknownTag'
  return storeFinding(kind, file, row.line, subject, `@${row.tag}: `)
}

/** A finding of the block parser with a text that repeats nothing of the row, which may hold a key. */
export const inPolish = (finding: Finding): Finding =>
  isStoreKind(finding.kind)
    ? { ...finding, reason: kinds[finding.kind][1], suggestion: kinds[finding.kind][2] }
    : finding

const kindOf = (row: Row): StoreFindingKind | 'StrayTag' | null => {
  if (opensChannel(row.tag, row.value)) return 'RawWebhookValue'
  if (tagRule(row.tag, 'Gracz') === null) return 'StrayTag'
  switch (row.tag) {
    case 'klucz_api':
      return isKeyHash(row.value) ? null : 'RawApiKeyValue'
    case 'gameid':
      return row.value === '' || isGameId(row.value) ? null : 'GameIdUnreadable'
    case 'chat':
      return chatReference(row.value)._tag === 'Unreadable' ? 'ChatUnreadable' : null
    case 'status':
      return statusOf(row.value) !== null ? null : 'UnknownStatus'
    default:
      return null
  }
}

const from = (range: Range): string => range.from ?? ''
const overlap = (left: Range, right: Range): boolean =>
  (left.to === null || from(right) <= left.to) && (right.to === null || from(left) <= right.to)

const ids = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.filter(row => row.tag === 'gameid' && row.value !== '')

const byFrom = (left: Row, right: Row): number =>
  from(left.range) < from(right.range) ? -1 : from(left.range) > from(right.range) ? 1 : 0

/** A row that begins before an earlier one ends. */
interface Overlap {
  readonly row: Row
  readonly earlier: Row
}

/** Finds the overlaps in one pass over the rows in order of their first days. */
const findOverlaps = (
  rows: ReadonlyArray<Row>,
  matters: (left: Row, right: Row) => boolean,
): ReadonlyArray<Overlap> => {
  const sorted = [...rows].sort(byFrom)
  let longest: Row | null = null
  const found: Array<Overlap> = []
  for (const row of sorted) {
    if (longest !== null && overlap(longest.range, row.range) && matters(longest, row))
      found.push({ row, earlier: longest })
    if (longest === null || longest.range.to !== null) {
      const ends = row.range.to
      if (longest === null || ends === null || ends > (longest.range.to ?? '')) longest = row
    }
  }
  return found
}

interface Owned {
  readonly owner: Block
  readonly row: Row
}

const groupRows = (
  blocks: ReadonlyArray<Block>,
  pick: (row: Row) => NameKey | null,
): ReadonlyMap<NameKey, ReadonlyArray<Owned>> => {
  const groups = new Map<NameKey, Array<Owned>>()
  for (const owner of blocks)
    for (const row of owner.rows) {
      const key = pick(row)
      if (key === null) continue
      const group = groups.get(key) ?? []
      group.push({ owner, row })
      groups.set(key, group)
    }
  return groups
}

const keysTwice = (file: RepoPath, blocks: ReadonlyArray<Block>): ReadonlyArray<Finding> =>
  [
    ...groupRows(blocks, row =>
      row.tag === 'klucz_api' && isKeyHash(row.value) ? nameKey(row.value) : null,
    ).values(),
  ]
    .filter(group => group.length > 1)
    .flatMap(group =>
      group.slice(1).map(({ owner, row }) => {
        const first = group[0]
        const about = first === undefined ? '' : `${first.owner.heading}, wiersz ${first.row.line}: `
        return storeFinding('DuplicateApiKey', file, row.line, owner.heading, about)
      }),
    )

/**
 * How many other people a finding names. If each of thousands named all others, the text would grow with the
 * square.
 */
const othersMax = 5

const othersOf = (names: ReadonlyArray<string>, owner: string | undefined): string => {
  const shown = names
    .slice(0, othersMax + 1)
    .filter(name => name !== owner)
    .slice(0, othersMax)
  const left = names.length - shown.length - (owner === undefined ? 0 : 1)
  return `${shown.join(', ')}${left > 0 ? ` i jeszcze ${left}` : ''}: `
}

const idsTwice = (file: RepoPath, blocks: ReadonlyArray<Block>): ReadonlyArray<Finding> =>
  [
    ...groupRows(blocks, row =>
      row.tag === 'gameid' && row.value !== '' ? nameKey(row.value) : null,
    ).values(),
  ].flatMap(group => {
    if (group.length < 2) return []
    const owners = new Map(group.map(({ owner, row }) => [row, owner] as const))
    const clash = findOverlaps(
      group.map(one => one.row),
      (left, right) => owners.get(left) !== owners.get(right),
    )
    const names = [...new Set(group.map(one => one.owner.heading))]
    return clash.map(({ row, earlier }) => {
      const owner = owners.get(row)?.heading
      // Two blocks with one heading have no other name to show, so the finding names the line of the other row.
      const about = names.length > 1 ? othersOf(names, owner) : `${owner ?? ''} (wiersz ${earlier.line}): `
      return storeFinding('DuplicateGameId', file, row.line, owner ?? null, about)
    })
  })

/**
 * The kinds of findings of the contributor store: severity, Polish reason and remedy (A 2.3). No text ever
 * contains a key.
 */
const kinds = {
  UnknownSection: [
    'warning',
    'Blok nie leży pod nagłówkiem „## Gracz” ani „## Role”, więc nie jest czytany.',
    'Przenieś blok pod właściwy nagłówek.',
  ],
  DuplicatePerson: [
    'error',
    'Druga osoba o tym samym nagłówku; liczy się pierwszy blok.',
    'Połącz oba bloki w jeden.',
  ],
  ReservedName: [
    'error',
    'Nagłówek jest zastrzeżony: tak audyt nazywa sam program. Ten blok nikogo nie loguje, a jego klucze nie działają.',
    'Zmień nagłówek na imię gracza.',
  ],
  DuplicateRole: [
    'warning',
    'Druga rola o tej samej nazwie; role czatu obu bloków się sumują.',
    'Połącz oba bloki w jeden.',
  ],
  MissingGameId: [
    'warning',
    'Blok nie ma żadnego @gameid, więc osoba nie jest na liście.',
    'Dopisz @gameid z zakresem dat.',
  ],
  GameIdUnreadable: [
    'error',
    '@gameid nie jest jednym słowem z liter, cyfr i znaków „_.-”, więc nie jest niczyim numerem.',
    'Wpisz sam numer, a dni jako (RRRR-MM:RRRR-MM).',
  ],
  OverlappingGameId: [
    'error',
    'Dwa różne @gameid obowiązują tego samego dnia.',
    'Zamknij zakres starszego numeru dzień przed początkiem nowszego.',
  ],
  DuplicateGameId: [
    'error',
    'Ten sam @gameid obowiązuje w tym samym czasie u dwóch osób.',
    'Zostaw numer u jednej osoby albo rozdziel zakresy dat.',
  ],
  RawApiKeyValue: [
    'error',
    '@klucz_api zawiera jawną wartość zamiast skrótu; klucz należy uznać za ujawniony.',
    'Unieważnij klucz i wpisz skrót w postaci sha256:<64 znaki szesnastkowe>.',
  ],
  DuplicateApiKey: [
    'error',
    'Ten sam skrót @klucz_api występuje w pliku więcej niż raz.',
    'Zostaw skrót u jednej osoby.',
  ],
  RawWebhookValue: [
    'error',
    'Blok zawiera adres webhooka, a taki adres pozwala pisać na kanale; wiersz nie jest czytany.',
    'Usuń wiersz, unieważnij webhook i wpisz @chat: kategoria/kanał.',
  ],
  ChatUnreadable: [
    'warning',
    '@chat nie ma postaci kategoria/kanał ani BRAK.',
    'Wpisz kategoria/kanał albo BRAK.',
  ],
  UnknownStatus: [
    'warning',
    '@status nie jest żadnym ze statusów: Aktywny, Nieaktywny, Usunięty, Niepewny.',
    'Wpisz jeden z czterech statusów.',
  ],
  UnknownTag: [
    'warning',
    'Nieznany znacznik; wiersz zostaje w pliku i jest pokazywany bez znaczenia.',
    'Popraw nazwę znacznika.',
  ],
  ForeignTag: [
    'warning',
    'Znacznik jest w niewłaściwym bloku; wiersz zostaje w pliku i jest pokazywany bez znaczenia.',
    'Przenieś wiersz do bloku, którego znacznik dotyczy.',
  ],
  UnknownRole: [
    'warning',
    'Tabela ról nie zna tej roli, więc nie daje ona żadnych uprawnień.',
    'Popraw nazwę roli albo dopisz ją w .svc/roles.json.',
  ],
  MissingChat: [
    'warning',
    'Osoba nie ma kanału czatu, więc nie dostanie powiadomień.',
    'Dopisz @chat: kategoria/kanał albo @chat: BRAK.',
  ],
  SuspectRange: [
    'warning',
    'Zakres na końcu wartości nie jest zakresem dni, więc wiersz nie daje roli, klucza ani imienia.',
    'Zapisz (od:do) jako RRRR, RRRR-MM albo RRRR-MM-DD, wcześniejszy dzień najpierw.',
  ],
  TagWithoutColon: ['warning', 'Znacznik bez dwukropka nie jest czytany.', 'Zapisz „- @znacznik: wartość”.'],
  NestedTag: [
    'warning',
    'Wiersz jest częścią znacznika wyżej, a nie osobnym znacznikiem.',
    'Zacznij wiersz w kolumnie pozostałych znaczników.',
  ],
} as const satisfies Readonly<Record<string, readonly [Severity, string, string]>>

type StoreFindingKind = keyof typeof kinds

const isStoreKind = (kind: string): kind is StoreFindingKind => Object.hasOwn(kinds, kind)
