import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { readConfig } from '#src/domain/config/read-config.js'
import { sourceFile } from '#test/support/world.js'
import { listUnsetForChat } from './sign-in.js'

const listUnset = (chat: object): ReadonlyArray<string> =>
  listUnsetForChat(
    readConfig(sourceFile('.svc/config.json', JSON.stringify({ integrations: { chat } }))).config,
  )

describe('the configuration of chat sign-in', () => {
  it('lacks nothing where it is whole, or where nobody began it', () => {
    deepEqual(listUnset({}), [])
    deepEqual(listUnset({ client_id: 'a', issuer: 'https://b', jwks_url: 'https://b/keys' }), [])
  })

  it('lacks the rest where it was begun', () => {
    deepEqual(listUnset({ client_id: 'a' }), ['integrations.chat.issuer', 'integrations.chat.jwks_url'])
    deepEqual(listUnset({ issuer: 'https://b', jwks_url: 'https://b/keys' }), ['integrations.chat.client_id'])
  })
})
