import type { RepoPath } from '#protocol/atoms/path.js'
import type { Finding, Severity } from '#src/lore/finding.js'

/**
 * What the contributor store can have wrong: severity, Polish reason and remedy (A 2.3). No text ever holds
 * a value of a key.
 */
const kinds = {
  UnknownSection: [
    'warning',
    'Blok nie stoi pod nagłówkiem „## Gracz” ani „## Role”, więc nie jest czytany.',
    'Przenieś blok pod właściwy nagłówek.',
  ],
  DuplicatePerson: [
    'error',
    'Druga osoba o tym samym nagłówku; liczy się pierwszy blok.',
    'Połącz oba bloki w jeden.',
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
    '@klucz_api zawiera wartość jawną zamiast skrótu; klucz należy uznać za ujawniony.',
    'Unieważnij klucz i wpisz skrót w postaci sha256:<64 znaki szesnastkowe>.',
  ],
  DuplicateApiKey: [
    'error',
    'Ten sam skrót @klucz_api stoi w pliku więcej niż raz.',
    'Zostaw skrót u jednej osoby.',
  ],
  RawWebhookValue: [
    'error',
    'Blok zawiera adres webhooka, a taki adres jest poświadczeniem; nie jest czytany.',
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
    'Nieznany tag; wiersz zostaje w pliku i jest pokazywany bez znaczenia.',
    'Popraw nazwę tagu.',
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
    'Zakres dat na końcu wartości jest niepoprawny.',
    'Wpisz (od:do) jako RRRR, RRRR-MM albo RRRR-MM-DD, wcześniejszy dzień pierwszy.',
  ],
  TagWithoutColon: ['warning', 'Tag bez dwukropka nie jest czytany.', 'Wpisz - @tag: wartość.'],
  NestedTag: [
    'warning',
    'Wiersz jest częścią tagu wyżej, a nie osobnym tagiem.',
    'Zacznij wiersz na tym samym marginesie co inne tagi.',
  ],
  UnclosedFence: [
    'warning',
    'Ogrodzenie bloku kodu nie jest zamknięte; reszta pliku nie jest czytana.',
    'Zamknij je trzema odwróconymi apostrofami w osobnym wierszu.',
  ],
} as const satisfies Readonly<Record<string, readonly [Severity, string, string]>>

export type StoreFindingKind = keyof typeof kinds

/**
 * A finding of the contributor store. `about` is put before the reason: a name, a line, never a value of a
 * key.
 */
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

const isStoreKind = (kind: string): kind is StoreFindingKind => Object.hasOwn(kinds, kind)

/** A finding of the block reader, told in Polish like the rest of the store's. */
export const inPolish = (finding: Finding): Finding =>
  isStoreKind(finding.kind)
    ? { ...finding, reason: kinds[finding.kind][1], suggestion: kinds[finding.kind][2] }
    : finding
