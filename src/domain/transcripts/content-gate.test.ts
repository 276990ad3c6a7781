import { deepEqual, equal } from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { type Content, isContainerSelector, isWorse, judgeContent } from './content-gate.js'
import { parseTranscript } from './parse.js'

const rules = {
  sniffChars: 400,
  binaryShare: 0.2,
  pageHosts: new Map([['notatki.example', 'div.note']]),
}
const judge = (body: string | Buffer, more: Partial<Content> = {}) => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const judged = judgeContent({ bytes, contentType: 'text/plain', host: 'logi.example', ...more }, rules)
  return isRight(judged) ? judged.right.toString() : `! ${judged.left}`
}

const good = '[20:00] [Lokalny] Orrin: Dobry wieczór.\n'
const page = (body: string, title = 'Notatka') =>
  `<!DOCTYPE html>\n<html lang="pl"><head><title>${title}</title></head><body>${body}</body></html>\n`

const refused: ReadonlyArray<
  readonly [what: string, body: string | Buffer, reason: string, more?: Partial<Content>]
> = [
  ['a picture by its type', good, 'content_type', { contentType: 'image/png' }],
  ['a stream of bytes by its type', good, 'content_type', { contentType: 'application/octet-stream' }],
  ['a type that only begins as text', good, 'content_type', { contentType: 'text' }],
  ['nothing', '', 'empty'],
  ['white space', ' \r\n\t\u00a0\ufeff\n', 'empty'],
  ['a page', page('hej'), 'html'],
  ['a page behind blank lines and a comment', `\ufeff\n\n<!-- c -->\n${page('hej')}`, 'html'],
  ['a page behind a warning of the server', `Warning: x in a.php on line 3\n${page('hej')}`, 'html'],
  [
    'a page as XHTML',
    `<?xml version="1.0"?>\n${page('hej')}`,
    'html',
    { contentType: 'application/xhtml+xml' },
  ],
  ['a page in capitals', '<HTML><BODY>hej', 'html'],
  ['an interstitial', page('Checking your browser before accessing', 'Just a moment...'), 'interstitial'],
  ['an interstitial as text', 'Enable JavaScript and cookies to continue', 'interstitial'],
  ['a note that is gone, as text', 'Error 404: note not found\n', 'gone'],
  ['a note that is gone, in Polish', 'Ta notatka nie istnieje albo wygasła.', 'gone'],
  [
    'a pointer of Git LFS',
    'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n',
    'lfs_pointer',
  ],
  ['bytes that are no text', Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 167) % 256)), 'binary'],
  ['NULs', '\u0000'.repeat(300), 'binary'],
  [
    'a picture that a charset would read',
    Buffer.from('89504e470d0a1a0a', 'hex'),
    'binary',
    { contentType: 'text/plain; charset=windows-1250' },
  ],
  ['a document of another kind', '%PDF-1.7\n1 0 obj\n', 'binary'],
  ['more lines than an evening has', 'a\n'.repeat(100_001), 'too_many_lines'],
  [
    'a page of a page host without the container',
    page('<div class="other">hej</div>'),
    'no_container',
    { host: 'notatki.example', contentType: 'text/html' },
  ],
  [
    'a page of a page host that says the note is gone',
    page('<h1>404</h1><p>Note not found</p>'),
    'gone',
    { host: 'notatki.example', contentType: 'text/html' },
  ],
  [
    'a gone note in its container',
    page('<div class="note">This note has been deleted</div>'),
    'gone',
    { host: 'notatki.example' },
  ],
  [
    'an interstitial of a page host',
    page('<p>Verify you are human</p>'),
    'interstitial',
    { host: 'notatki.example' },
  ],
  ['an empty container', page('<div class="note">\n <br></div>'), 'empty', { host: 'notatki.example' }],
  [
    'a page nested without end',
    `<html>${'<div>'.repeat(200_000)}${'</p>'.repeat(200_000)}`,
    'no_container',
    { host: 'notatki.example' },
  ],
]

const pl = 'Zażółć gęślą jaźń, Orrinie'
/** Bytes of the letters of Polish in the two charsets that are not UTF-8. */
const encode = (text: string, charset: 'windows-1250' | 'iso-8859-2'): Buffer => {
  const decoder = new TextDecoder(charset)
  const codes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Buffer.from([byte])), byte]))
  return Buffer.from(Array.from(text, sign => codes.get(sign) ?? 0x3f))
}

describe('the content gate', () => {
  for (const [what, body, reason, more] of refused)
    it(`refuses ${what} as ${reason}`, () => equal(judge(body, more), `! ${reason}`))

  it('takes text of any textual type, or of none, byte for byte', () => {
    for (const contentType of [null, 'text/plain', 'TEXT/X-LOG; charset=utf-8', 'application/json', ''])
      equal(judge(`\ufeff${good}\r\n`, { contentType }), `\ufeff${good}\r\n`)
  })

  it('takes transcripts in which people speak of pages and of what is gone', () => {
    for (const body of [
      '[20:00] Orrin: 404 not found\n',
      '[20:00] Orrin: <html> to taki znacznik\n[20:01] Orrin: just a moment...\n',
      '<Orrin> notatka nie istnieje\n',
      `${good.repeat(40)}wygasł\n`,
    ])
      equal(judge(body), body)
  })

  for (const charset of ['windows-1250', 'iso-8859-2'] as const)
    it(`decodes ${charset} as declared, and by its Polish letters where nothing is`, () => {
      const bytes = encode(`${pl}\n`, charset)
      equal(judge(bytes, { contentType: `text/plain; charset="${charset}"` }), `${pl}\n`)
      for (const contentType of [null, 'text/plain; charset=utf-8', 'text/plain; charset=nic'])
        equal(judge(bytes, { contentType }), `${pl}\n`)
    })

  it('decodes UTF-16 by its mark or as declared, and keeps UTF-8 that another charset is declared of', () => {
    equal(judge(Buffer.from(`\ufeff${pl}`, 'utf16le')), pl)
    equal(judge(Buffer.from(pl, 'utf16le'), { contentType: 'text/plain; charset=utf-16le' }), pl)
    equal(judge(pl, { contentType: 'text/plain; charset=windows-1250' }), pl)
  })

  it('reads other letters as UTF-8 with replacement, and refuses above the share', () => {
    const latin = Buffer.from('caf\xe9 na\xefve, gar\xe7on', 'latin1')
    equal(judge(latin), 'caf\ufffd na\ufffdve, gar\ufffdon')
    equal(judge(Buffer.from('\xe8\xe9\xea\xeb abcd', 'latin1')), '! binary')
  })

  const container = (body: string) => judge(page(body), { host: 'notatki.example', contentType: 'text/html' })

  it('reads the note of a page host out of its container', () => {
    equal(
      container(
        '<div class="a note"><p>[20:00] Orrin:  hej &amp; witaj</p>\n<p>[20:01]\nSelma: „tak”<br/>koniec<script>x()</script></p></div><div class="note">inny</div>',
      ),
      '[20:00] Orrin: hej & witaj\n\n[20:01] Selma: „tak”\nkoniec\n',
    )
    equal(
      container('<div class="note">[20:00] Orrin: a\n[20:01] Orrin: b</div>'),
      '[20:00] Orrin: a\n[20:01] Orrin: b\n',
    )
    equal(
      container('<div class="note"><pre>[20:00] Orrin: a\n[20:01] Orrin: b</pre></div>'),
      '[20:00] Orrin: a\n[20:01] Orrin: b\n',
    )
    equal(
      container('<div class="note"><textarea>[20:00] Orrin: <b>a</b></textarea>'),
      '[20:00] Orrin: <b>a</b>\n',
    )
  })

  it('takes a note that a page host sends as text', () =>
    equal(judge(good, { host: 'notatki.example' }), good))

  it('reads a page in the charset that it declares itself', () => {
    const html = `<html><head><meta charset="iso-8859-2"></head><div class="note">${pl}é</div>`
    equal(judge(encode(html, 'iso-8859-2'), { host: 'notatki.example' }), `${pl}é\n`)
  })

  it('knows selectors of one element', () => {
    deepEqual(
      ['div.note', '#note', 'pre', 'div#a.b.c', '', 'div p', '[x]', '.', 'a>b'].map(isContainerSelector),
      [true, true, true, true, false, false, false, false, false],
    )
  })

  it('finds a text worse that has fewer spoken lines', () => {
    const read = (text: string) => atOnce(parseTranscript(Buffer.from(text), { name: '', address: '' }))
    const [one, two] = [read(good), read(good.repeat(2))]
    deepEqual(
      [isWorse(one, two), isWorse(two, one), isWorse(one, one), isWorse(read('x\n'.repeat(9)), one)],
      [true, false, false, true],
    )
  })
})
