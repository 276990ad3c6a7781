import { describe } from 'mocha'
import { seeChatKeys } from '#test/security/chat-keys-table.js'
import { seeChatTable } from '#test/security/chat-row.js'
import { chatTables } from '#test/security/chat-tables.js'
import { seeOpenIdProvider } from '#test/security/openid-sign-in.js'
import { startBuilt } from '#test/support/built-host.js'

describe('chat sign-in at the built daemon', () => {
  seeChatTable({ title: 'every line', rows: chatTables.flatMap(({ rows }) => rows) }, startBuilt)
  seeChatKeys(startBuilt)
  seeOpenIdProvider(startBuilt)
})
