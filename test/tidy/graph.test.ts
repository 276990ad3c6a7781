import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { areaGraph, drawGraph, drawRooms, layerGraph, reduceArrows } from './graph.js'
import { areas } from './layers.js'
import { documents, type Source, sources } from './sources.js'

const fileOf = (path: string, ...targets: ReadonlyArray<string>): Source => ({
  path,
  text: targets.map(target => `import { a } from '#${target}.js'\n`).join(''),
})

const files = [
  fileOf('src/node/a.ts', 'src/http/a', 'src/domain/lore/a'),
  fileOf('src/http/a.ts', 'src/domain/names/a', 'src/domain/lore/a', 'src/http/b'),
  fileOf('src/http/a.test.ts', 'src/demo/a'),
  fileOf('src/domain/names/a.ts', 'src/domain/lore/a', 'src/domain/json/a'),
  fileOf('src/domain/lore/a.ts', 'src/domain/json/a'),
]

/** An arrow between two areas, by their places in the order. */
const arrow = (from: string, to: string): string => `${areas.indexOf(from)} -> ${areas.indexOf(to)}`

describe('the graph of the rooms', () => {
  it('is the one in docs/architecture.md', () => {
    const text = documents.find(({ path }) => path === 'docs/architecture.md')?.text ?? ''
    equal(drawRooms(text, sources) === text, true, 'run npm run graph')
  })

  it('has an arrow for each import between rooms, tests not counted', () => {
    deepEqual(layerGraph(files).arrows, new Set(['13 -> 9', '13 -> 1', '9 -> 1']))
    const wanted = [arrow('names', 'lore'), arrow('names', 'json'), arrow('lore', 'json')]
    deepEqual(areaGraph(files).arrows, new Set(wanted))
  })

  it('leaves out an arrow that a longer way implies', () => {
    deepEqual(reduceArrows(layerGraph(files)).arrows, new Set(['13 -> 9', '9 -> 1']))
    const wanted = [arrow('names', 'lore'), arrow('lore', 'json')]
    deepEqual(reduceArrows(areaGraph(files)).arrows, new Set(wanted))
  })

  it('is drawn the same for every order of the files', () => {
    equal(drawGraph(layerGraph([...files].reverse())), drawGraph(layerGraph(files)))
    match(drawGraph(layerGraph(files)), /src_node\["src\/node"\] --> src_domain & src_http\n/)
  })

  it('asks for the marker comments where a document has none', () => {
    throws(() => drawRooms('# Architecture\n', files), /graph: layers/)
  })
})
