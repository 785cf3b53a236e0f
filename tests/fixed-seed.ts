/** Every run of the tests tries the same values. `FC_SEED=<number>` tries others; at night a new number is drawn. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 2026) })
