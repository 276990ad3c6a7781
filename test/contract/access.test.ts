import { seeAccess } from './access.js'
import { benchOf } from './bench.js'

seeAccess(benchOf)
