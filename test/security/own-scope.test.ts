import { ownScopeFront } from './own-scope-host.js'
import { seeOwnScope } from './own-scope-table.js'

seeOwnScope(ownScopeFront)
