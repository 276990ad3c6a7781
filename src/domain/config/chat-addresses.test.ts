import { deepEqual, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { reportChatAddresses } from './addresses.js'
import { readConfig } from './read-config.js'

const findingsFor = (chat: object) => {
  const file = sourceFile('.svc/config.json', JSON.stringify({ integrations: { chat } }))
  return reportChatAddresses(file, readConfig(file)).findings
}
const subjectsFor = (chat: object) => findingsFor(chat).map(({ kind, subject }) => [kind, subject])

describe('the addresses of the chat platform', () => {
  it('have no finding while they are empty or usable', () => {
    deepEqual(subjectsFor({}), [])
    deepEqual(subjectsFor({ api_url: '', guild_id: '' }), [])
    for (const api_url of ['https://chat.example/api/v10', 'http://127.0.0.1:8080/api/'])
      deepEqual(subjectsFor({ api_url, guild_id: '18446744073709551615' }), [])
  })

  it('report an interface that the host does not call', () => {
    for (const api_url of [
      'chat.example',
      'ftp://chat.example',
      'http://chat.example',
      'https://chat.example/?v=10',
    ])
      deepEqual(subjectsFor({ api_url }), [['ConfigInvalid', 'integrations.chat.api_url']], api_url)
    match(findingsFor({ api_url: 'chat.example' })[0]?.reason ?? '', /api_url .*line 1.* is no https address/)
  })

  it('report a guild whose id is none', () => {
    for (const guild_id of ['abc', '0', '18446744073709551616'])
      deepEqual(subjectsFor({ guild_id }), [['ConfigInvalid', 'integrations.chat.guild_id']], guild_id)
  })

  it('do not repeat the value, which may hold a password', () => {
    const [finding] = findingsFor({ api_url: 'https://bot:Zagadka9@chat.example/' })
    deepEqual(
      [finding?.subject, JSON.stringify(finding).includes('Zagadka9')],
      ['integrations.chat.api_url', false],
    )
  })
})
