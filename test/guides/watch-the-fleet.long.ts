import { describePage } from './describe-page.js'

describePage('docs/howto/deploy/watch-the-fleet.md')
