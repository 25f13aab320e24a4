import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * An order of test files for Vitest: those named go first, in the order given, so that no long one is left for the end when
 * the other worker has nothing more to do. `npm test` names the files that take longest.
 *
 * @param names ends of paths, the longest-running first
 */
export function longestFirst(names: string[]): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const others = await super.sort(files);
      const named = names.flatMap((name) => others.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)));
      return [...new Set([...named, ...others])];
    }
  };
}
