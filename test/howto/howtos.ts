import { addARoute } from './add-a-route.js'
import { addAWrite } from './add-a-write.js'
import { addAnActor } from './add-an-actor.js'
import type { Howto } from './howto.js'

/** The howtos that `npm run howto` follows. A new one is a file with its sample, and a line here. */
export const howtos: ReadonlyArray<Howto> = [addARoute, addAWrite, addAnActor]
