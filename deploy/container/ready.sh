#!/bin/sh
# Whether the host of this container may be asked.
exec node -e 'fetch(`http://127.0.0.1:${process.env.KRONIKA_OPS_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'
