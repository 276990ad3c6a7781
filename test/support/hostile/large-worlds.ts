import { block, type Files, headerOn, many, repositoryWith } from './lore-text.js'

/** Lore that is small in git and large in memory. */
export interface LargeWorld {
  readonly what: string
  /** A heap, in MB, that holds its snapshot. */
  readonly heapMb: number
  readonly leftOut: { readonly files: number; readonly references: number }
  readonly files: () => Files
}

const fileBytes = 8 * 1024 * 1024

/** A text of just under 8 MiB, the largest file that is read. */
const fillFile = (head: string, line: string): string =>
  head + line.repeat(Math.floor((fileBytes - Buffer.byteLength(head)) / Buffer.byteLength(line)))

/** The same text at many paths: one blob in git. */
const copies = (n: number, folder: string, text: string): Files =>
  repositoryWith(Object.fromEntries(Array.from({ length: n }, (_, at) => [`${folder}/${at}.md`, text])))

const header = `### ${headerOn('2026-05-10', 'S')}\n`

export const largeWorlds: ReadonlyArray<LargeWorld> = [
  {
    what: '20000 blocks that name one file of 50000 rows',
    heapMb: 256,
    leftOut: { files: 0, references: 19500 },
    files: () =>
      repositoryWith({
        'encje/indeks.md': many(20_000, at => block('NPC', `N${at}`, 'ref: opisy/wspólny.md')),
        'opisy/wspólny.md': many(50_000, at => `- @info: wpis ${at}\n`),
      }),
  },
  {
    what: '400 paths of one line',
    heapMb: 256,
    leftOut: { files: 145, references: 0 },
    files: () => copies(400, 'sesje', fillFile('', 'a')),
  },
  {
    what: '400 paths of prose',
    heapMb: 512,
    leftOut: { files: 384, references: 0 },
    files: () => copies(400, 'sesje', fillFile(header, 'Zażółć gęślą jaźń.\n')),
  },
  {
    what: '400 paths of blocks',
    heapMb: 3072,
    leftOut: { files: 395, references: 0 },
    files: () => copies(400, 'encje', fillFile('', '### Ola\n- @typ: NPC\n')),
  },
  {
    what: '400 paths of unknown tags',
    heapMb: 2048,
    leftOut: { files: 396, references: 0 },
    files: () => copies(400, 'encje', fillFile('### A\n', '- @x: y\n')),
  },
  {
    what: '400 paths of headings',
    heapMb: 2048,
    leftOut: { files: 397, references: 0 },
    files: () => copies(400, 'encje', fillFile('', '### A\n')),
  },
  {
    what: '400 paths of names',
    heapMb: 512,
    leftOut: { files: 399, references: 0 },
    files: () => copies(400, 'sesje', fillFile(`${header}- Lokacje: `, 'Ab,')),
  },
  {
    what: '400 paths of sessions',
    heapMb: 3072,
    leftOut: { files: 395, references: 0 },
    files: () => copies(400, 'sesje', fillFile('', header)),
  },
  {
    what: '400 paths of PU',
    heapMb: 2048,
    leftOut: { files: 394, references: 0 },
    files: () => copies(400, 'sesje', fillFile(`${header}- PU:\n`, '    - A: x\n')),
  },
  {
    what: '400 paths of one heading',
    heapMb: 768,
    leftOut: { files: 145, references: 0 },
    files: () => copies(400, 'encje', fillFile('### ', 'ż')),
  },
]
