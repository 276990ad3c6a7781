import { describePage } from './describe-page.js'

describePage('docs/howto/make-two-hosts-a-fleet.md')
