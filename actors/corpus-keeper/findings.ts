import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import { formatCount } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { bytesMaxOf, isEnactedLedger, type SourceFile } from '#src/domain/lore/layout.js'
import type { Skipped, TreeEntry } from '#src/ports/git.js'
import type { Budget } from '#src/snapshot/budget.js'
import { ledgerUnread } from '#src/snapshot/left-out.js'

export const tooLargeFinding = (entry: TreeEntry): Finding =>
  wholeFile(
    'FileTooLarge',
    'error',
    entry.path,
    [
      `Plik ma ${formatCount(entry.bytes, bytes)};`,
      `pliki większe niż ${formatCount(bytesMaxOf(entry.path), bytes)} nie są czytane.`,
    ].join(' '),
    isEnactedLedger(entry.path) ? 'Przywróć mniejszy plik z historii.' : 'Podziel plik na mniejsze.',
  )

/** The finding about a ledger that cannot be read: the write gate is closed while it is there. */
export const unreadLedgerFinding = (path: RepoPath): Finding =>
  wholeFile(
    ledgerUnread,
    'error',
    path,
    'Plik mówi, co zamknięto, rozliczono i zapłacono, a nie da się go odczytać; host odmawia każdego zapisu.',
    'Przywróć plik z commita, w którym był zwykłym plikiem w UTF-8 (git log -- ścieżka), i zatwierdź go.',
  )

/** The finding for a file that exceeds the budget of the tree. */
export const aboveBudget =
  (budget: Budget) =>
  (entry: TreeEntry): Finding =>
    wholeFile(
      'FileAboveBudget',
      'error',
      entry.path,
      [
        `Plik nie jest czytany: wszystkie razem mogą mieć ${formatCount(budget.textBytes, bytes)}`,
        `i ${formatCount(budget.rows, rows)}; najpierw pomijane są największe.`,
      ].join(' '),
      'Usuń z repozytorium zbędne pliki.',
    )

/** The finding about a file whose object git cannot read. */
export const unreadableFinding = (entry: TreeEntry): Finding =>
  wholeFile('FileUnreadable', 'error', entry.path, 'Treści pliku nie da się odczytać.', 'Uruchom git fsck.')

/** The finding about a file that was read with U+FFFD in place of wrong bytes. */
export const notUtf8Finding = (file: SourceFile): Finding =>
  wholeFile(
    'FileNotUtf8',
    'error',
    file.path,
    'Plik nie jest zapisany w UTF-8; błędne bajty są czytane jako U+FFFD.',
    'Zapisz plik w UTF-8.',
  )

/** Whether a file has the place of its content in the store of Git LFS, and not the content. */
export const isLfsPointer = ({ text }: SourceFile): boolean =>
  text.startsWith('version https://git-lfs.github.com/spec/')

export const lfsPointerFinding = (file: SourceFile): Finding =>
  wholeFile(
    'FileIsLfsPointer',
    'error',
    file.path,
    'W repozytorium jest tylko wskaźnik Git LFS; treści pliku host nie czyta.',
    'Usuń plik spod filter=lfs w .gitattributes i dodaj go z treścią: git add --renormalize.',
  )

export const findingOfSkipped = (skipped: Skipped): Finding => {
  const path = RepoPath.decode(skipped.path)
  const [reason, suggestion] = reasons[skipped.reason]
  return {
    ...wholeFile('FileSkipped', 'warning', isLeft(path) ? root() : path.right, reason, suggestion),
    subject: skipped.path,
  }
}

export const noCommitFinding: () => Finding = () =>
  wholeFile(
    'NoCommit',
    'warning',
    root(),
    'Repozytorium nie ma jeszcze żadnego commita, więc host nie ma czego udostępniać.',
    'Utwórz pierwszy commit.',
  )

const root = (): RepoPath => {
  const path = RepoPath.decode('repository')
  if (isLeft(path)) throw new Error('a plain word is a path')
  return path.right
}

const wholeFile = (
  kind: string,
  severity: Finding['severity'],
  file: RepoPath,
  reason: string,
  suggestion: string,
): Finding => ({ kind, severity, file, line: null, subject: file, reason, suggestion })

const bytes = ['bajt', 'bajty', 'bajtów'] as const

const rows = ['wiersz', 'wiersze', 'wierszy'] as const

const reasons: Readonly<Record<Skipped['reason'], readonly [string, string]>> = {
  symlink: ['Dowiązania symboliczne nie są czytane.', 'Dodaj do repozytorium sam plik albo folder.'],
  submodule: ['Podmoduły nie są czytane.', 'Wskaż to repozytorium w konfiguracji.'],
  folder: ['W tym miejscu jest folder, a powinien być plik.', 'Zmień nazwę folderu.'],
  path: ['Ścieżka nie jest zapisana w UTF-8 albo wychodzi poza repozytorium.', 'Zmień nazwę pliku.'],
  unreadable: ['Pliku nie da się odczytać.', 'Sprawdź uprawnienia do pliku.'],
  unlisted: ['Nie da się odczytać listy plików tego folderu.', 'Sprawdź uprawnienia do folderu.'],
}
