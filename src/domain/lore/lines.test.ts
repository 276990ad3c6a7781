import { deepEqual, equal } from 'node:assert/strict'
import { escapeComments, lineStarts, linesOf, newlineOf, rawLines, shownOf } from './lines.js'

const tagsOf = (text: string): string =>
  linesOf(text)
    .lines.map(line => line._tag.charAt(0))
    .join('')
/** What shows of a text, line by line: the level, or the mark of an item, and the text. */
const readOf = (text: string): ReadonlyArray<string> =>
  linesOf(text).lines.flatMap(line =>
    line._tag === 'Header'
      ? [`${line.level} ${line.text}`]
      : line._tag === 'Item'
        ? [`${line.indent}- ${line.text}`]
        : line._tag === 'Text'
          ? [line.text]
          : [],
  )
const noticesOf = (text: string): ReadonlyArray<string> =>
  linesOf(text).notices.map(one => {
    const by = 'by' in one ? ` ${one.by}` : ''
    return `${one._tag}${by} ${one.line}${'endLine' in one ? `-${one.endLine}` : ''}`
  })

describe('line ends', () => {
  it('are LF, CRLF and a CR alone', () => {
    deepEqual(rawLines('a\rb\r\nc\n\rd\r'), ['a', 'b', 'c', '', 'd'])
    deepEqual(rawLines('a\n\n'), ['a', ''])
    deepEqual(lineStarts('a\rb\r\nc\n\rd\r'), [0, 2, 5, 7, 8, 10])
    deepEqual(lineStarts('a\nb'), [0, 2, 3])
  })
  it('of a new line are those of the file', () => {
    deepEqual(['a\r\nb\n', 'a\nb\r', 'a\rb', 'a'].map(newlineOf), ['\r\n', '\n', '\r', '\n'])
  })
})

describe('headings', () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    [' ### Grab', '3 Grab'],
    ['   ### Grab', '3 Grab'],
    ['    ### Grab', '### Grab'],
    ['\t### Grab', '### Grab'],
    ['\ufeff### Grab', '3 Grab'],
    ['\u200b ### Grab', '3 Grab'],
    ['##\u2060# Grab', '3 Grab'],
    ['### Grab ###', '3 Grab'],
    ['### Grab # \t', '3 Grab'],
    ['### Grab#', '3 Grab#'],
    ['### Grab \\#', '3 Grab \\#'],
    ['###Nazwa', '3 Nazwa'],
    ['###\tGrab', '3 Grab'],
    ['### Sosna <!-- na próbę -->', '3 Sosna'],
    ['### <!-- na próbę --> Sosna', '3 Sosna'],
    ['### Sosna ### <!-- x -->', '3 Sosna'],
    ['###', '3 '],
    ['### ###', '3 '],
    ['### <!-- Grab -->', '3 '],
    ['#### ', '####'],
  ]
  for (const [text, right] of rows) it(`read ${JSON.stringify(text)}`, () => deepEqual(readOf(text), [right]))
  it('tell of a missing blank and of a missing name', () => {
    deepEqual(noticesOf('###Nazwa\n### \n#### \n####x\n### A'), ['TightHeading 1', 'EmptyHeading 2'])
  })
})

describe('rows', () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['\u200b- @rola: Radny', '0- @rola: Radny'],
    ['-\u00ad @rola: Radny', '0- @rola: Radny'],
    ['- \u200e@rola: Radny', '0- @rola: Radny'],
    ['- @rola: Radny\u200b \ufeff', '0- @rola: Radny'],
    ['- @rola: <!-- Radny -->', '0- @rola:'],
    ['- @rola: <!-- Radny --> Gracz', '0- @rola: Gracz'],
    ['- @rola: A <!-- x --> B <!-- y -->', '0- @rola: A B'],
    ['<!-- x --> - @rola: Radny', '0- @rola: Radny'],
    ['- @info: `<!--` to początek', '0- @info: `<!--` to początek'],
    ['- @info: `` ` <!-- `` i ` <!-- x -->', '0- @info: `` ` <!-- `` i `'],
    ['- @info: \\<!-- x', '0- @info: <!-- x'],
    ['- @info: \\<!-- x --\\>', '0- @info: <!-- x -->'],
    ['- @info: <!--> a <!---> b', '0- @info: a b'],
  ]
  for (const [text, right] of rows) it(`read ${JSON.stringify(text)}`, () => deepEqual(readOf(text), [right]))
  it('keep what was written beside what shows', () => {
    const [line] = linesOf('\u200b- @rola: A <!-- x -->').lines
    deepEqual([line?.raw, line && shownOf(line)], ['\u200b- @rola: A <!-- x -->', '- @rola: A'])
    equal(linesOf('- @rola: A').lines[0]?.shown, undefined)
  })
})

describe('a text that looks like a comment', () => {
  it('is written so that it shows', () => {
    for (const text of [
      '<!-- x',
      'a <!-- b -->',
      '<!-- a <!-- b -->',
      'x -->',
      '`<!--` <!-- a',
      'A --> B',
      '-->',
    ])
      deepEqual(readOf(escapeComments(`- ${text}`)), [`0- ${text}`], text)
    equal(escapeComments('`<!--` a'), '`<!--` a')
    equal(escapeComments('\\<!-- a --\\>'), '\\<!-- a --\\>')
  })
})

describe('fences', () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['```\n### A\n```\nb', 'FFFT'],
    ['~~~\n### A\n~~~\nb', 'FFFT'],
    ['````\n```\n````\nb', 'FFFT'],
    ['```\n~~~\n```\nb', 'FFFT'],
    ['~~~ a ``` b\nx\n~~~~  \nb', 'FFFT'],
    ['```js\nx\n``` y\n```\nb', 'FFFFT'],
    ['```TAK``` napis\n- a', 'TI'],
    ['``` a ` b\n- a', 'TI'],
    ['      ```\n- a\n\t```\nb', 'FFFT'],
    ['- ```\n  x\n  ```\n- a', 'FFFI'],
    ['1. - ~~~\n- x\n~~~\n- a', 'FFFI'],
    ['``\n- a', 'TI'],
    ['\ufeff```\n- a\n```\nb', 'FFFT'],
    ['```\n<!--\n```\n- a', 'FFFI'],
    ['``` <!-- x\n- a\n```\n- b', 'FFFI'],
  ]
  for (const [text, right] of rows) it(`read ${JSON.stringify(text)}`, () => equal(tagsOf(text), right))
  it('tell what they hide, and where one begins that is never closed', () => {
    deepEqual(noticesOf('```\ntekst\n```\n~~~\n- @rola: Radny\n~~~\n~~~\n### A\n```'), [
      'HiddenText Fence 4-6',
      'Unclosed Fence 7',
    ])
    deepEqual(linesOf('a\n~~~\nb').unclosed, { by: 'Fence', line: 2 })
  })
  it('mark their borders', () => {
    deepEqual(
      linesOf('```\na\n```\n```\n```').lines.map(line => ('border' in line ? line.border : null)),
      ['Opening', null, 'Closing', 'Opening', 'Closing'],
    )
  })
})

describe('comments', () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['<!--\n- @rola: Radny\n- @klucz_api: x\n-->\n- a', 'HHHHI'],
    ['<!-- - @rola: Radny -->\n- a', 'HI'],
    ['- @info: a <!-- b\n- @rola: Radny\n--> c', 'IHT'],
    ['<!--\n```\n-->\n- a', 'HHHI'],
    ['<!--\n- @rola: Radny', 'HH'],
    ['### A\n<!--\n### B\n- @x: y\n-->\n- @z: w', 'HHHHHI'],
    ['<!-- a <!-- b -->\n- @rola: Radny\n-->\n- c', 'HHHI'],
    ['<!-- a <!-- b -->\n- @rola: Radny\n<!-- c -->\n- d', 'HIHI'],
    ['<!--\n<!-- a -->\n- @rola: Radny\n-->\n- b', 'HHHHI'],
    ['<!-- a <!-- b -->\nA --> B\n- d', 'HTI'],
    ['<!-- a -->\n- d\n-->\n', 'HIT'],
  ]
  for (const [text, right] of rows) it(`read ${JSON.stringify(text)}`, () => equal(tagsOf(text), right))
  it('tell what they hide', () => {
    deepEqual(noticesOf('<!-- zdanie -->\n<!--\n- @rola: Radny\n-->\n### A <!-- b -->\n-->\n<!-- c\n'), [
      'HiddenText Comment 2-4',
      'HiddenText Comment 5-5',
      'CommentEnd 6',
      'Unclosed Comment 7',
    ])
  })
})

describe('conflicts', () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x\n- c', 'HHHHHI'],
    ['<<<<<<< HEAD\n- a\n||||||| base\n- o\n=======\n- b\n>>>>>>>\n- c', 'HHHHHHHI'],
    ['<<<<<<< HEAD\n- a\n- b', 'HHH'],
    ['A\n=======\n- b', 'TTI'],
    ['```\n<<<<<<< HEAD\n```\n- @rola: Radny\n=======\n>>>>>>> x\n```\n- c', 'FHHHHHFI'],
    ['```\n<<<<<<< HEAD\n```\n- c', 'FFFI'],
    ['<!--\n<<<<<<< HEAD\n-->\n- @rola: Radny\n=======\n>>>>>>> x\n-->\n- c', 'HHHHHHHI'],
    ['<<<<<<< HEAD\n~~~\n=======\n<!--\n>>>>>>> x\n- c', 'HHHHHI'],
    ['<<<<<<<x\n- c', 'TI'],
    ['<<<<<< x\n- c', 'TI'],
  ]
  for (const [text, right] of rows) it(`read ${JSON.stringify(text)}`, () => equal(tagsOf(text), right))
  it('tell of each marker', () => {
    deepEqual(noticesOf('<<<<<<< HEAD\n- a\n||||||| o\n=======\n- b\n>>>>>>> x\n=======\n>>>>>>> y'), [
      'ConflictMarker 1',
      'ConflictMarker 3',
      'ConflictMarker 4',
      'ConflictMarker 6',
      'ConflictMarker 8',
    ])
    deepEqual(noticesOf('<<<<<<< HEAD\n- a'), ['ConflictMarker 1', 'Unclosed Conflict 1'])
  })
})

describe('long texts', () => {
  it('are read in one pass, whatever hides in them', () => {
    const many = 20_000
    for (const text of [
      '<!-- a <!-- b -->\n'.repeat(many),
      '<!-- '.repeat(many),
      '`<!--` '.repeat(many),
      '` <!-- x --> '.repeat(many),
      Array.from({ length: 600 }, (_, at) => `${'`'.repeat(at + 1)} `).join('') + '<!-- '.repeat(many),
      '- '.repeat(many) + '```',
      '\u200b '.repeat(many),
      `### A${' #'.repeat(many)}`,
      '```\n<<<<<<< a\n'.repeat(many),
    ])
      equal(linesOf(text).lines.length, rawLines(text).length)
  })
})
