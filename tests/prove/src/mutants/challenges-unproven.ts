/** A device answers the challenge of whoever it is connected to. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/client/socket.ts',
    from: 'if (!(await options.signer.proves(challengeText({ gateway, address, asked, nonce }), proof)))',
    to: "if (challengeText({ gateway, address, asked, nonce }) === '' && proof)",
  },
])
