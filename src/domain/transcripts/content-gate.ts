import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { Parser } from 'htmlparser2'
import type { ContentRefusal } from '#protocol/transcripts/log-writes.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { parseTranscript } from './parse.js'
import type { Transcript } from './transcript.js'

/** What a host answered, or a person sent, for an address. */
export interface Content {
  readonly bytes: Uint8Array
  /** Null where the answer has none. */
  readonly contentType: string | null
  /** The host that answered, in lower case. */
  readonly host: string
}

export interface GateRules {
  /** How many characters of the text show whether it is one. */
  readonly sniffChars: number
  /** The share of characters that are no text, above which a body is binary. */
  readonly binaryShare: number
  /** The container of the note in the pages of a host, such as `div.note`. */
  readonly pageHosts: ReadonlyMap<string, string>
}

/**
 * Judges a body before anything is written. Right is the text of the transcript in UTF-8: the very bytes where they are
 * that, else decoded, or read out of the container of a page.
 */
export const judgeContent = (content: Content, rules: GateRules): Either<ContentRefusal, Buffer> => {
  const { bytes, contentType, host } = content
  if (contentType !== null && !isTextual(contentType)) return left('content_type')
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (raw.length === 0) return left('empty')
  if (signatures.some(sign => raw.subarray(0, sign.length).equals(sign))) return left('binary')
  const container = rules.pageHosts.get(host)
  const text = decodeText(raw, charsetOf(contentType) ?? (container === undefined ? null : metaCharset(raw)))
  const isPage = opensHtml(text, rules.sniffChars)
  if (container !== undefined && (isPage || /\bhtml\b/iu.test(contentType ?? ''))) {
    const note = readContainer(text, container)
    if (note === null) return left(pageTrouble(text) ?? 'no_container')
    return judgeText(note, rules)
  }
  if (isPage) return left(pageTrouble(text) ?? 'html')
  const judged = judgeText(text, rules)
  return judged._tag === 'Right' && judged.right.equals(raw) ? right(raw) : judged
}

/**
 * Whether a text would be a loss in the place of what the archive has: it has fewer spoken lines. A person who means it
 * imports it with `force`.
 */
export const isWorse = (fresh: Transcript, archived: Transcript): boolean =>
  countSaid(fresh) < countSaid(archived)

/** Whether a text can be the selector of a container: a tag, an id or classes, or these together. */
export const isContainerSelector = (text: string): boolean =>
  text !== '' && /^[\w-]*(?:[#.][\w-]+)*$/u.test(text)

const countSaid = ({ lines }: Transcript): number =>
  lines.filter(({ kind }) => kind === 'say' || kind === 'act').length

/** The most lines of a transcript. An evening has some hundreds. */
const linesMax = 100_000

const pageChars = 4_096

const judgeText = (text: string, { sniffChars, binaryShare }: GateRules): Either<ContentRefusal, Buffer> => {
  if (text.trim() === '') return left('empty')
  if (text.startsWith('version https://git-lfs.github.com/spec/')) return left('lfs_pointer')
  if (strangeShare(text.slice(0, sniffChars)) > binaryShare) return left('binary')
  const trouble = troubleOf(text)
  if (trouble !== null) return left(trouble)
  if (countLines(text) > linesMax) return left('too_many_lines')
  return right(Buffer.from(text))
}

const isTextual = (contentType: string): boolean => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || /^text\/[\w.+-]+$/u.test(type) || textual.has(type)
}

const textual: ReadonlySet<string> = new Set(['application/json', 'application/xhtml+xml'])

const charsetOf = (contentType: string | null): string | null =>
  /;\s?charset\s?=\s?"?([\w.:-]{1,40})/iu.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null

/** Of `<meta charset="…">`, or of the type in its older form. */
const metaCharset = (bytes: Buffer): string | null =>
  /charset=["']?([\w-]{1,20})/iu.exec(bytes.toString('latin1', 0, 2_048))?.[1]?.toLowerCase() ?? null

/** The first bytes of pictures, archives and documents, which a charset of one byte would read as text. */
const signatures: ReadonlyArray<Buffer> = [
  Buffer.from('89504e47', 'hex'),
  Buffer.from('ffd8ff', 'hex'),
  Buffer.from('GIF8'),
  Buffer.from('%PDF-'),
  Buffer.from('PK\u0003\u0004'),
  Buffer.from('1f8b', 'hex'),
  Buffer.from('RIFF'),
]

/** Null where the charset is unknown, or the bytes are not of it. */
const decodeAs = (bytes: Buffer, charset: string): string | null => {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

/**
 * The text of a body: by its byte order mark, as UTF-8 where it is that, by the declared charset, by the letters of
 * Polish, and else as UTF-8 with replacement.
 */
const decodeText = (bytes: Buffer, declared: string | null): string => {
  const mark = bytes.toString('hex', 0, 2)
  const wide =
    mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : /^utf-?16/u.exec(declared ?? '')?.input
  const text = (wide === undefined ? null : decodeAs(bytes, wide)) ?? decodeAs(bytes, 'utf-8')
  if (text !== null) return wide === undefined ? text : text.replace(/^\ufeff/u, '')
  return (
    (declared === null ? null : decodeAs(bytes, declared)) ?? decodePolish(bytes) ?? bytes.toString('utf8')
  )
}

const polish = /[ąćęłńóśźżĄĆĘŁŃÓŚŹŻ]/u
const typographic = /[„”“’‘«»–—…§°·\u00a0]/u

/** A text of one byte a letter, if nearly all of its letters beyond ASCII are Polish in one of the two charsets. */
const decodePolish = (bytes: Buffer): string | null => {
  let best: { readonly text: string; readonly others: number } | null = null
  for (const charset of ['windows-1250', 'iso-8859-2']) {
    const text = decodeAs(bytes, charset)
    if (text === null) continue
    let [letters, others] = [0, 0]
    for (const [sign] of text.matchAll(/[^\u0000-\u007f]/gu)) {
      if (polish.test(sign)) letters += 1
      else if (!typographic.test(sign)) others += 1
    }
    if (letters > 0 && others * 20 <= letters && others < (best?.others ?? Number.POSITIVE_INFINITY))
      best = { text, others }
  }
  return best?.text ?? null
}

/** The share of replacement characters, NULs and control characters that no chat writes. */
const strangeShare = (head: string): number => {
  const strange = head.match(
    /[\ufffd\u0000\u0001\u0005-\u0008\u000e\u0010\u0012-\u0015\u0017-\u001a\u0080-\u009f]/gu,
  )
  return (strange?.length ?? 0) / Math.max(1, head.length)
}

/** A page, also where a notice of the server, a comment or blank lines stand before it. */
const opensHtml = (text: string, sniffChars: number): boolean => {
  const head = text.slice(0, Math.max(sniffChars, 1_024)).replace(/^[\s\ufeff]+/u, '')
  return (
    /^<(?:!doctype|!--|\?xml|html|head|body|meta\s|script|style|div\s|br ?\/?>|title>\S)/iu.test(head) ||
    /\n[ \t]{0,40}(?:<!doctype html|<html(?:>\s{0,40}<|>\n|\s{1,9}\w{1,20}=))/iu.test(head)
  )
}

const interstitials: ReadonlyArray<RegExp> = [
  /just a moment\.\.\.|checking your browser|enable javascript and cookies/iu,
  /verify (?:that )?you are (?:a )?human|attention required! \||ddos protection by/iu,
  /cf-browser-verification|captcha-delivery/iu,
]

const gone: ReadonlyArray<RegExp> = [
  /\b404\b|not found|(?:does not|doesn.t|no longer) exist|(?:has been|was) (?:deleted|removed)/iu,
  /(?:has|note) expired|nie istnieje|nie znaleziono|został[ao]? usunięt|wygasł/iu,
]

/** Longer texts are what people wrote, also where they say that something is gone. */
const troubleChars = 1_000

/** Why a short text without speech is no transcript: it reports that there is none, or asks for a browser. */
const troubleOf = (text: string): 'gone' | 'interstitial' | null => {
  if (text.length > troubleChars) return null
  const trouble = pageTrouble(text)
  return trouble === null || isSpoken(text) ? null : trouble
}

/** What a page reports in its first characters, markup included. */
const pageTrouble = (text: string): 'gone' | 'interstitial' | null => {
  const head = text.slice(0, pageChars)
  if (interstitials.some(one => one.test(head))) return 'interstitial'
  return gone.some(one => one.test(head)) ? 'gone' : null
}

/** One line such as `Error: not found` is no speech. */
const isSpoken = (text: string): boolean => {
  const read = atOnce(parseTranscript(Buffer.from(text), { name: '', address: '' }))
  return countSaid(read) > (read.format === 'plain' ? 1 : 0)
}

const countLines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Elements that end a line of text where they begin and end. */
const blocks: ReadonlySet<string> = new Set([
  ...['p', 'div', 'li', 'ul', 'ol', 'tr', 'table', 'section', 'article', 'blockquote', 'pre', 'br', 'hr'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'dd'],
])
const kept: ReadonlySet<string> = new Set(['pre', 'textarea'])
const unseen: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])
/** Blocks without an end. */
const single: ReadonlySet<string> = new Set(['br', 'hr'])
/** A page nested deeper is none: each end of an element costs as much as elements are open. */
const depthMax = 1_000
const chunkChars = 8_192

/**
 * The text of the first element that a selector names, as a browser would show it; null where the page has none. An
 * element without blocks in it shows its own line ends, since such a note is styled to keep them.
 */
const readContainer = (page: string, selector: string): string | null => {
  const isContainer = matcherOf(selector)
  const runs: Array<{ readonly text: string; readonly isKept: boolean }> = []
  const depths = { open: 0, kept: 0, unseen: 0, container: -1 }
  let [isDone, hasBlocks] = [false, false]
  const count = (name: string, step: 1 | -1): void => {
    depths.open += step
    if (kept.has(name)) depths.kept += step
    if (unseen.has(name)) depths.unseen += step
  }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (depths.container < 0 && isContainer(name, attributes)) depths.container = depths.open
      else if (depths.container >= 0 && blocks.has(name)) {
        hasBlocks = true
        runs.push({ text: '\n', isKept: true })
      }
      count(name, 1)
    },
    ontext: text => {
      if (depths.container >= 0 && !isDone && depths.unseen === 0)
        runs.push({ text, isKept: depths.kept > 0 })
    },
    onclosetag: name => {
      count(name, -1)
      if (depths.container >= 0 && depths.open <= depths.container) isDone = true
      else if (depths.container >= 0 && blocks.has(name) && !single.has(name))
        runs.push({ text: '\n', isKept: true })
    },
  })
  for (let at = 0; at < page.length && !isDone; at += chunkChars) {
    parser.write(page.slice(at, at + chunkChars))
    if (depths.open > depthMax) return null
  }
  if (!isDone) parser.end()
  return depths.container < 0 ? null : joinRuns(runs, hasBlocks)
}

const joinRuns = (
  runs: ReadonlyArray<{ readonly text: string; readonly isKept: boolean }>,
  hasBlocks: boolean,
): string => {
  const shown = runs.map(({ text, isKept }) =>
    isKept || !hasBlocks ? text : text.replace(/\s{1,999}/gu, ' '),
  )
  const lines = shown.join('').split('\n')
  return `${lines
    .map(line => line.trim())
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()}\n`
}

const matcherOf = (
  selector: string,
): ((name: string, attributes: Readonly<Record<string, string>>) => boolean) => {
  const tag = /^[\w-]*/u.exec(selector)?.[0].toLowerCase() ?? ''
  const marks = [...selector.matchAll(/([#.])([\w-]+)/gu)].map(([, sign, value]) => ({ sign, value }))
  return (name, attributes) => {
    const classes = (attributes['class'] ?? '').split(/\s/u)
    const isMarked = marks.every(({ sign, value = '' }) =>
      sign === '#' ? attributes['id'] === value : classes.includes(value),
    )
    return (tag === '' || tag === name) && isMarked
  }
}
