import type { RepoPath } from '#protocol/atoms.js'
import type { Finding, Severity } from '../finding.js'
import type { HiddenBy, LineNotice } from './lines.js'

type Text = readonly [kind: string, severity: Severity, reason: string, suggestion: string]

const unclosed: Readonly<Record<HiddenBy, Text>> = {
  Fence: [
    'UnclosedFence',
    'error',
    'Blok kodu nie jest zamknięty; reszta pliku nie jest czytana.',
    'Zamknij blok w osobnym wierszu tymi samymi znakami, którymi się zaczyna.',
  ],
  Comment: [
    'UnclosedComment',
    'error',
    'Komentarz nie jest zamknięty; reszta pliku nie jest czytana.',
    'Zakończ komentarz znakami -->.',
  ],
  Conflict: [
    'UnclosedConflict',
    'error',
    'Konflikt gita nie ma końca (>>>>>>>); reszta pliku nie jest czytana.',
    'Zostaw jedną z wersji i usuń znaczniki konfliktu.',
  ],
}

const others: Readonly<Record<Exclude<LineNotice['_tag'], 'HiddenText' | 'Unclosed'>, Text>> = {
  ConflictMarker: [
    'ConflictMarker',
    'error',
    'To znacznik konfliktu gita; nic między <<<<<<< a >>>>>>> nie jest czytane.',
    'Zostaw jedną z wersji i usuń znaczniki konfliktu.',
  ],
  CommentEnd: [
    'StrayCommentEnd',
    'warning',
    'Wiersz kończy komentarz, którego nic nie zaczyna.',
    'Usuń znaki --> albo wstaw <!-- na początku komentarza.',
  ],
  TightHeading: [
    'TightHeading',
    'warning',
    'Po znakach # brakuje odstępu; wiersz jest czytany jak nagłówek.',
    'Wstaw odstęp po znakach #.',
  ],
  EmptyHeading: [
    'EmptyHeading',
    'warning',
    'Nagłówek nie ma treści, więc wiersze pod nim do niczego nie należą.',
    'Dopisz nazwę po znakach # albo usuń nagłówek.',
  ],
}

const hiddenText = (by: HiddenBy, line: number, endLine: number): Text => {
  const [where, what] = by === 'Fence' ? ['bloku kodu', 'bloku'] : ['komentarzu', 'komentarza']
  const lines = line === endLine ? '' : ` (wiersze ${line}–${endLine})`
  return [
    'HiddenText',
    'info',
    `Nagłówki i wpisy w ${where}${lines} nie są czytane.`,
    `Jeśli mają obowiązywać, usuń znaki ${what}.`,
  ]
}

const textOf = (notice: LineNotice): Text => {
  if (notice._tag === 'HiddenText') return hiddenText(notice.by, notice.line, notice.endLine)
  return notice._tag === 'Unclosed' ? unclosed[notice.by] : others[notice._tag]
}

/** The findings about what the scanner noticed in a file; they repeat no text of it. */
export const lineFindings = (path: RepoPath, notices: ReadonlyArray<LineNotice>): ReadonlyArray<Finding> =>
  notices.map(notice => {
    const [kind, severity, reason, suggestion] = textOf(notice)
    return { kind, severity, file: path, line: notice.line, subject: null, reason, suggestion }
  })
