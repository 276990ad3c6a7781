import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { artifactIn, putArtifact, type StoreText, stampWith } from '#test/support/models.js'
import { type ArtifactFile, isArtifactId, readArtifact } from './artifact.js'

const fileOf = (content: string | Buffer): ArtifactFile => {
  const bytes = Buffer.from(content)
  return { _tag: 'Bytes', bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const read = (files: {
  readonly model?: ArtifactFile
  readonly stamp?: ArtifactFile
  readonly evaluation?: ArtifactFile
}) =>
  atOnce(
    readArtifact({
      id: 'a',
      model: fileOf('{"w": 1}'),
      stamp: fileOf(JSON.stringify(stampWith('claims', 0.9))),
      evaluation: fileOf('{"documents": []}'),
      ...files,
    }),
  )

describe('the id of an artifact', () => {
  const bad = [
    ...['', '.', '..', '../claims', 'a/b', 'a\\b', '/a', '~', 'a b', ' a', 'a\n', 'a\u0000', '.hidden', 'a.'],
    ...[
      '-rf',
      'a..b',
      'live.json',
      'promotions.jsonl',
      'A.JSON',
      'claims\u0301',
      'сlaims',
      '%2e%2e',
      'x'.repeat(101),
    ],
  ]
  for (const id of bad)
    it(`is not ${JSON.stringify(id.slice(0, 20))}`, () => {
      ok(!isArtifactId(id))
    })
  for (const id of ['a', 'claims-2026.06_b', 'x'.repeat(100), '__proto__x', 'constructor'])
    it(`${isArtifactId(id) ? 'is' : 'is not'} ${id.slice(0, 20)}, by its letters alone`, () => {
      equal(isArtifactId(id), !id.startsWith('_'))
    })
})

describe('an artifact', () => {
  it('is usable with a model and a stamp, also without an evaluation', () => {
    const found = read({ evaluation: { _tag: 'Missing' } })
    ok(found.isUsable)
    deepEqual(found.problems, ['evaluation.json is missing'])
    equal(found.digests?.evaluation, null)
  })

  const deep = `${'['.repeat(100)}${']'.repeat(100)}`
  const broken: ReadonlyArray<readonly [string, ArtifactFile]> = [
    ['is missing', { _tag: 'Missing' }],
    ['is a link', { _tag: 'Refused', why: 'link' }],
    ['is a folder', { _tag: 'Refused', why: 'no_file' }],
    ['is huge', { _tag: 'Refused', why: 'too_large' }],
    ['is empty', fileOf('')],
    ['is half', fileOf('{"surface": "cla')],
    ['is a list', fileOf('[]')],
    ['is null', fileOf('null')],
    ['is not UTF-8', fileOf(Buffer.from([0x7b, 0xff, 0x7d]))],
  ]
  for (const [what, file] of broken)
    for (const name of ['model', 'stamp'] as const)
      it(`whose ${name} ${what} is not usable, and says so`, () => {
        const found = read({ [name]: file })
        ok(!found.isUsable && found.digests === null)
        ok(found.problems.some(problem => problem.startsWith(`${name}.json `)))
      })

  const hostile: ReadonlyArray<readonly [string, string]> = [
    ['NaN', '{"held_out_score": {"f1": NaN}}'],
    ['an endless number', '{"held_out_score": {"f1": 1e999}}'],
    ['__proto__', '{"__proto__": {"surface": "claims"}}'],
    ['a key twice', '{"surface": "claims", "surface": "claims"}'],
    ['half a surrogate pair', '{"surface": "\\ud800"}'],
    ['a NUL', '{"surface": "\\u0000"}'],
    ['a depth of 100', `{"a": ${deep}}`],
    ['something behind', '{} {}'],
  ]
  for (const [what, text] of hostile)
    it(`whose stamp has ${what} is not usable`, () => {
      ok(!read({ stamp: fileOf(text) }).isUsable)
    })

  const ofNoKind: ReadonlyArray<readonly [string, object]> = [
    ['held_out_score.f1', { held_out_score: { f1: '0.9' } }],
    ['held_out_score.f1', { held_out_score: { f1: -0.1 } }],
    ['held_out_score.f1', { held_out_score: [0.9] }],
    ['surface', { surface: ['claims'] }],
    ['surface', { surface: ' ' }],
    ['grade', { grade: 'con\u202efirmed' }],
    ['grade', { grade: 'x'.repeat(201) }],
    ['harvest.digest', { harvest: { grade: 'confirmed', digest: 5 } }],
    ['harvest.grade', { harvest: { grade: null, digest: 'd' } }],
  ]
  for (const [field, change] of ofNoKind)
    it(`with ${JSON.stringify(change).slice(0, 50)} lacks ${field}`, () => {
      deepEqual(read({ stamp: fileOf(JSON.stringify(stampWith('claims', 0.9, change))) }).missing, [field])
    })

  it('has no documents where a count of the evaluation is wrong or a document comes twice', () => {
    const one = { document: 'a', tp: 1, fp: 0, fn: 0 }
    const documentsOf = (documents: unknown) =>
      read({ evaluation: fileOf(JSON.stringify({ documents })) }).documents
    deepEqual(documentsOf([one]), [one])
    for (const bad of [
      [{ ...one, tp: -1 }],
      [{ ...one, tp: 0.5 }],
      [one, one],
      [null],
      'x',
      Array(5_001).fill(one),
    ])
      equal(documentsOf(bad), null)
  })

  it('has another fingerprint after each change of a file', () => {
    const files: StoreText = new Map()
    putArtifact(files, 'a', stampWith('claims', 0.9))
    const before = artifactIn(files, 'a').fingerprint
    files.set('a/evaluation.json', '{"documents": []}')
    ok(artifactIn(files, 'a').fingerprint !== before)
  })
})
