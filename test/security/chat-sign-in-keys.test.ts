import { startNode } from '#test/support/node.js'
import { seeChatKeys } from './chat-keys-table.js'

seeChatKeys(startNode)
