import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Tests run on the sources: a package is imported by its name and found through this condition, without a build.
  resolve: { conditions: ['gantry-source'] },
  ssr: { resolve: { conditions: ['gantry-source'] } },
  test: {
    include: ['{packages/*,engines,bench,scripts}/src/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
