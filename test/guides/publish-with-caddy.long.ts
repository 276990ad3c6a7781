import { describePage } from './describe-page.js'

describePage('docs/howto/deploy/publish-with-caddy.md')
