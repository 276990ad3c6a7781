import { startNode } from '#test/support/node.js'
import { seeChatTable } from './chat-row.js'
import { chatTables } from './chat-tables.js'

for (const table of chatTables) seeChatTable(table, startNode)
