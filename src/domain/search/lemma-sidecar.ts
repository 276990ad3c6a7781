import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { pathOf } from '#protocol/atoms/path.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

/** `lematy/<tree>/<path>.json`: the hash of the text, and for words of it where they are and their lemma. */
export const LemmaSidecar = t.type(
  { sha256: t.string, lemmas: t.readonlyArray(t.tuple([t.number, t.number, t.string])) },
  'LemmaSidecar',
)
export type LemmaSidecar = t.TypeOf<typeof LemmaSidecar>

/** The trees whose texts have sidecars, as the folder below `lematy/` names them. */
export type AnnotatedTree = 'lore' | 'dziel'

export const sidecarPath = (tree: AnnotatedTree, path: string): string => `lematy/${tree}/${path}.json`

/** The tree and path of the text that a sidecar is about; null for another file. */
export const annotatedBy = (path: string): { readonly tree: AnnotatedTree; readonly path: string } | null => {
  const found = /^lematy\/(lore|dziel)\/(.+)\.json$/u.exec(path.normalize('NFC'))
  const [, tree, text] = found ?? []
  return text === undefined || (tree !== 'lore' && tree !== 'dziel') ? null : { tree, path: text }
}

const lemmaCharsMax = 128

/** Where words start, in UTF-16 units of the text without its BOM, with their lemmas. */
export type LemmaOffsets = ReadonlyMap<number, string>

export const noOffsets: LemmaOffsets = new Map()

export type ReadSidecar =
  | {
      readonly _tag: 'Read'
      readonly offsets: LemmaOffsets
      /** Lemmas by form, in lower case, of words that are no proper nouns. */
      readonly forms: ReadonlyMap<string, string>
    }
  /** The text is not the one that was annotated, so its offsets are wrong. */
  | { readonly _tag: 'Outdated' }
  | { readonly _tag: 'Unreadable' }

/** @param sha256 of the bytes of the text, in lower-case hex. */
export const readSidecar = (json: string, sha256: string, text: string): ReadSidecar => {
  const read = LemmaSidecar.decode(parseJson(json))
  if (isLeft(read)) return { _tag: 'Unreadable' }
  if (read.right.sha256.toLowerCase() !== sha256) return { _tag: 'Outdated' }
  const offsets = new Map<number, string>()
  const forms = new Map<string, string>()
  for (const [start, end, lemma] of read.right.lemmas) {
    if (end <= start || lemma === '' || lemma.length > lemmaCharsMax) continue
    offsets.set(start, lemma)
    const form = text.slice(start, end)
    if (form === form.toLowerCase() && form.length <= lemmaCharsMax) forms.set(form, lemma)
  }
  return { _tag: 'Read', offsets, forms }
}

/** The SHA-256 of the committed bytes of a text file. */
export const hashText = ({ text, bom }: Pick<SourceFile, 'text' | 'bom'>): string =>
  createHash('sha256')
    .update(bom === true ? `\u{feff}${text}` : text)
    .digest('hex')

export const hashBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const reasons: Readonly<Record<'Outdated' | 'Unreadable', readonly [string, string]>> = {
  Outdated: [
    'Tekst zmienił się od czasu, gdy opisano jego lematy; wyszukiwarka ich nie używa.',
    'Opisz lematy tekstu ponownie albo usuń ten plik.',
  ],
  Unreadable: [
    'Plik lematów nie jest obiektem JSON z polami "sha256" i "lemmas".',
    'Popraw plik albo go usuń.',
  ],
}

/** The finding about a sidecar that is not used. `path` is that in the annotation tree. */
export const sidecarFinding = (path: string, why: 'Outdated' | 'Unreadable'): Finding => {
  const [reason, suggestion] = reasons[why]
  return {
    kind: why === 'Outdated' ? 'LemmasOutdated' : 'LemmasUnreadable',
    severity: 'warning',
    file: pathOf(`corpora.adnotacje/${path}`) ?? pathOf('corpora.adnotacje') ?? neverPath(),
    line: null,
    subject: path,
    reason,
    suggestion,
  }
}

const neverPath = (): never => {
  throw new Error('a plain word is a path')
}
