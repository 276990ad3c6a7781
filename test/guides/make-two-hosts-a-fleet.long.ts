import { describePage } from './describe-page.js'

describePage('docs/howto/fleet/make-two-hosts-a-fleet.md')
