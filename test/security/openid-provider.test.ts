import { startNode } from '#test/support/node.js'
import { seeOpenIdProvider } from './openid-sign-in.js'

seeOpenIdProvider(startNode)
