import { createHash } from 'node:crypto'
import { pathOf, type RepoPath, requirePath } from '#protocol/atoms.js'
import { formatCount } from '#src/domain/caching/counted.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { type LemmaTable, makeOffsets } from './lemma-offsets.js'
import { isPlain, lexiconFormsMax, lexiconLines } from './lexicon.js'
import { parseRun, splitSidecar } from './sidecar-json.js'

/** The trees whose texts have sidecars, as the folder below `lematy/` names them. */
export type AnnotatedTree = 'lore' | 'dziel'

/** The tree and path of the text that a sidecar is about; null for another file. */
export const annotationTarget = (
  path: string,
): { readonly tree: AnnotatedTree; readonly path: string } | null => {
  const found = /^lematy\/(lore|dziel)\/(.+)\.json$/u.exec(path.normalize('NFC'))
  const [, tree, text] = found ?? []
  return text === undefined || (tree !== 'lore' && tree !== 'dziel') ? null : { tree, path: text }
}

const lemmaCharsMax = 128

export type ReadSidecar =
  | {
      readonly _tag: 'Read'
      readonly offsets: LemmaTable
      /** How many lemmas the file has. */
      readonly length: number
      /** Lemmas by form, in lower case, of words that are no proper nouns: lines of a lexicon in UTF-8. */
      readonly forms: Uint8Array
    }
  /** The text is not the one that was annotated, so its offsets are wrong. */
  | { readonly _tag: 'Outdated' }
  | { readonly _tag: 'Unreadable' }
  /** With the sidecars before it there are too many; `length` is null where its bytes alone are. */
  | { readonly _tag: 'AboveBudget'; readonly length: number | null }

/** A text with a sidecar. */
export interface AnnotatedText {
  readonly text: string
  /** Of the bytes of the text, in lower-case hex. */
  readonly sha256: string
}

/** Reads a sidecar of at most `lemmasMax` lemmas. Yields every few hundred of them. */
export const readSidecar = function* (
  json: string,
  { text, sha256 }: AnnotatedText,
  lemmasMax: number,
): Sliced<ReadSidecar> {
  const parts = yield* splitSidecar(json)
  if (parts === null) return { _tag: 'Unreadable' }
  if (parts.sha256 !== sha256) return { _tag: 'Outdated' }
  const { length } = parts
  if (length > lemmasMax) return { _tag: 'AboveBudget', length }
  const offsets = makeOffsets()
  const forms = new Map<string, string>()
  for (const run of parts.runs) {
    const lemmas = parseRun(json, run)
    if (lemmas === null) return { _tag: 'Unreadable' }
    for (const [start, end, lemma] of lemmas) {
      if (end <= start || lemma === '' || lemma.length > lemmaCharsMax) continue
      offsets.add(start, lemma)
      const form = end - start > lemmaCharsMax ? '' : text.slice(start, end)
      if (form !== form.toLowerCase()) continue
      if (isPlain(form) && isPlain(lemma) && (forms.size < lexiconFormsMax || forms.has(form)))
        forms.set(form, lemma)
    }
    yield
  }
  return { _tag: 'Read', offsets: yield* offsets.make(), length, forms: yield* lexiconLines(forms) }
}

const bytesPerTurn = 1_048_576

/** The SHA-256 of bytes, in lower-case hex. */
export const hashInSlices = function* (bytes: Uint8Array): Sliced<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    hash.update(bytes.subarray(at, at + bytesPerTurn))
    yield
  }
  return hash.digest('hex')
}

/** The committed bytes of a text file. */
export const bytesOfText = ({ text, bom }: Pick<SourceFile, 'text' | 'bom'>): Uint8Array =>
  Buffer.from(bom === true ? `\u{feff}${text}` : text)

/** The most that all sidecars together may have. */
export interface LemmaBudget {
  readonly bytes: number
  readonly lemmas: number
}

/** Some megabytes of lore in which each word has its lemma; eight bytes of memory a lemma, and its text once a file. */
export const lemmaBudget: LemmaBudget = { bytes: 64 * 1024 * 1024, lemmas: 2_000_000 }

const bytesForm = ['bajt', 'bajty', 'bajtów'] as const
const lemmasForm = ['lemat', 'lematy', 'lematów'] as const

type Unused = Exclude<ReadSidecar['_tag'], 'Read'>

const outdated = [
  'Tekst zmienił się od czasu, gdy opisano jego lematy; wyszukiwarka ich nie używa.',
  'Opisz lematy tekstu ponownie albo usuń ten plik.',
] as const
const unreadable = [
  'Plik lematów nie jest obiektem JSON z polami "sha256" i "lemmas".',
  'Popraw plik albo go usuń.',
] as const
const aboveBudget = ({ bytes, lemmas }: LemmaBudget) =>
  [
    [
      'Plik lematów nie jest używany: wszystkie razem mogą mieć najwyżej',
      `${formatCount(bytes, bytesForm)} i ${formatCount(lemmas, lemmasForm)}, a te przed nim zajmują resztę.`,
    ].join(' '),
    'Usuń z repozytorium zbędne pliki lematów.',
  ] as const

/** The finding about a sidecar that is not used. `path` is that in the annotation tree. */
export const sidecarFinding = (path: string, why: Unused, budget: LemmaBudget): Finding => {
  const [reason, suggestion] =
    why === 'Outdated' ? outdated : why === 'Unreadable' ? unreadable : aboveBudget(budget)
  return {
    kind: `Lemmas${why}`,
    severity: 'warning',
    file: pathInFindings(path),
    line: null,
    subject: path,
    reason,
    suggestion,
  }
}

/** A path of the annotation tree as findings show it. */
export const pathInFindings = (path: string): RepoPath =>
  pathOf(`corpora.adnotacje/${path}`) ?? requirePath('corpora.adnotacje')
