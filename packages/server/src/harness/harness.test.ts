/** A tenth of all the deaths that `npm run harness` tries: ten commits in a row try all. */
import { sampledDeaths } from '../testing/harness/sampled-deaths.ts'

sampledDeaths('local')
