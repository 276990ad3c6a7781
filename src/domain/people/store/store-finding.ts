import type { RepoPath } from '#protocol/atoms.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { isKnownTag } from '#src/domain/lore/tag-schema.js'

/** The one tag of a role block. */
export const chatRoleTag = 'chat_rola'

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

export type StoreFindingKind = keyof typeof kinds

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

const isStoreKind = (kind: string): kind is StoreFindingKind => Object.hasOwn(kinds, kind)

/** A finding of the block parser with a text that repeats nothing of the row, which may hold a key. */
export const inPolish = (finding: Finding): Finding =>
  isStoreKind(finding.kind)
    ? { ...finding, reason: kinds[finding.kind][1], suggestion: kinds[finding.kind][2] }
    : finding
