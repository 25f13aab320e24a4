import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type FormDesign, previewForm } from '#contract/forms.ts';
import type { FormKind } from '#contract/plugin.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useCreator } from '#web/shell/session.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Props = { kind: FormKind; design: FormDesign; language?: string };

/** A form as the blog prints it. */
export function usePrinted(kind: FormKind, design: FormDesign) {
  const { creatorId } = useCreator();
  return useQuery<ResponseOf<typeof previewForm>, ApiError>({
    queryKey: [previewForm.path, creatorId, kind, design],
    queryFn: ({ signal }) => callApi(previewForm, { params: { creatorId }, body: { kind, design } }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The same, to look at. While a design is refused, the last one that was good stays. */
export function FormPreview({ kind, design, language }: Props) {
  const preview = usePrinted(kind, useDeferredValue(design));
  const last = useRef<ResponseOf<typeof previewForm>>(undefined);
  if (preview.data) last.current = preview.data;
  return (
    <Loaded
      query={preview}
      shown={preview.data ?? last.current ?? null}
      failed="Couldn’t load the preview"
      skeleton={<Skeleton className="h-40" />}
    >
      {({ languages }) => <Printed html={(languages.find((one) => one.language === language) ?? languages[0])?.html} />}
    </Loaded>
  );
}

function Printed({ html = '' }: { html: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Shadow roots in HTML are made by this or by the page's own parser alone. No script runs in it: the printer escapes all texts.
    place.current?.setHTMLUnsafe(html);
  }, [html]);
  return <div ref={place} inert />;
}
