export type Difference = { field: string; label: string; mine: string; theirs: string };

type Props = { differences: readonly Difference[]; labels: [mine: string, theirs: string] };

/** Two versions of something side by side; what is the same was left out. */
export function Differences({ differences, labels }: Props) {
  return (
    <dl className="mt-2 flex flex-col gap-3">
      {differences.map((difference) => (
        <div key={difference.field}>
          <dt className="font-medium">{difference.label}</dt>
          <dd className="mt-1 grid gap-2 sm:grid-cols-2">
            <Version by={labels[0]} text={difference.mine} />
            <Version by={labels[1]} text={difference.theirs} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Version({ by, text }: { by: string; text: string }) {
  return (
    <div className="min-w-0 rounded-md border border-line bg-surface p-2">
      <p className="text-muted text-xs">{by}</p>
      <p className="whitespace-pre-line break-words">
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}
