import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { documents, sources } from './sources.js'

/** Folders whose own folders are rooms of the house. */
const houses = ['src', 'src/domain', 'src/adapters', 'src/http', 'src/node', 'test']

const roomsOf = (house: string): ReadonlyArray<string> => [
  ...new Set(
    sources
      .filter(({ path }) => path.startsWith(`${house}/`))
      .map(({ path }) => path.slice(house.length + 1).split('/'))
      .flatMap(([room, ...rest]) => (room === undefined || rest.length === 0 ? [] : [room])),
  ),
]

const isNamed = (text: string, house: string, room: string): boolean =>
  text.includes(`\`${room}\``) || text.includes(`\`${house}/${room}/\``)

describe('docs/architecture.md', () => {
  it('names every room', () => {
    const text = documents.find(({ path }) => path === 'docs/architecture.md')?.text ?? ''
    const unnamed = houses.flatMap(house =>
      roomsOf(house)
        .filter(room => !isNamed(text, house, room))
        .map(room => `${house}/${room}`),
    )
    deepEqual(unnamed, [])
    ok(roomsOf('src/adapters').includes('git'))
    ok(!isNamed(text, 'src', 'cellar'))
  })
})
