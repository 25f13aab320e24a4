import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/contacts.ts';
import * as segmentsContract from '#contract/segments.ts';
import * as suppressionsContract from '#contract/suppressions.ts';
import * as tagsContract from '#contract/tags.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as contacts from './contacts.ts';
import { answer } from './direct-messages.ts';
import { erase, exportPerson } from './erasure.ts';
import * as joining from './joining.ts';
import { unsubscribe } from './leaving.ts';
import * as segments from './segments.ts';
import * as suppressions from './suppressions.ts';
import * as tags from './tags.ts';
import * as takingOver from './taking-over.ts';
import { timeline } from './timeline.ts';

export function registerContacts(
  app: FastifyInstance,
  deps: ServeDeps &
    Pick<AppDeps, 'automationsChanged' | 'config' | 'deliveriesQueued' | 'held' | 'ids' | 'keys' | 'live'>,
): void {
  /** Everybody who looks at it asks again. */
  const told = <T>(creatorId: string, result: T): T => {
    deps.live.publish(creatorId, { what: 'interactions' });
    return result;
  };

  serve(app, deps, contract.listContacts, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => contacts.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.getContact, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => contacts.get(deps, trx, creatorId, params.contactId)),
  );

  serve(app, deps, contract.getContactTimeline, ({ creatorId, params, query, inCreator }) =>
    inCreator((trx) => timeline(deps, trx, creatorId, params.contactId, query)),
  );

  serve(app, deps, tagsContract.listTags, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => tags.list(trx, creatorId)),
  }));

  serve(app, deps, tagsContract.createTag, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => tags.create(deps, trx, creatorId, body.name)),
  );

  serve(app, deps, tagsContract.renameTag, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) => tags.rename(trx, { creatorId, tagId: params.tagId, name: body.name })),
  );

  serve(app, deps, tagsContract.deleteTag, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => tags.remove(trx, creatorId, params.tagId));
    return { message: 'Tag deleted.' };
  });

  serve(app, deps, tagsContract.tagContacts, async ({ creatorId, body, inCreator }) => {
    const changed = await inCreator((trx) => tags.changeTags(deps, trx, { creatorId, ...body, source: 'team' }));
    return told(creatorId, { changed });
  });

  serve(app, deps, segmentsContract.listSegments, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => segments.list(trx, creatorId)),
  }));

  serve(app, deps, segmentsContract.createSegment, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => segments.create(deps, trx, creatorId, body)),
  );

  serve(app, deps, segmentsContract.changeSegment, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) => segments.change(trx, { creatorId, segmentId: params.segmentId, ...body })),
  );

  serve(app, deps, segmentsContract.deleteSegment, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => segments.remove(trx, creatorId, params.segmentId));
    return { message: 'Segment deleted.' };
  });

  serve(app, deps, segmentsContract.countSegment, async ({ creatorId, query, inCreator }) => ({
    count: await segments.count(deps, inCreator, creatorId, query.segment),
  }));

  serve(app, deps, suppressionsContract.listSuppressions, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => suppressions.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, suppressionsContract.addSuppression, async ({ creatorId, body, inCreator }) =>
    told(creatorId, await inCreator((trx) => suppressions.add(deps, trx, creatorId, body))),
  );

  serve(app, deps, suppressionsContract.takeBackSuppression, async ({ params, body, inCreator }) =>
    told(params.creatorId, await inCreator((trx) => suppressions.takeBack(deps, trx, params, body))),
  );

  serve(app, deps, contract.answerContact, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const whose = { creatorId, contactId: params.contactId, userId: signedIn.user.id };
    const { id, connectionId } = await inCreator((trx) => answer(deps, trx, whose, body));
    await deps.deliveriesQueued({ creatorId, connectionId });
    return told(creatorId, { id });
  });

  serve(app, deps, contract.takeOverContact, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const whose = { creatorId, contactId: params.contactId, userId: signedIn.user.id };
    return told(creatorId, await inCreator((trx) => takingOver.takeOver(deps, trx, whose, body.minutes)));
  });

  for (const [endpoint, change] of [
    [contract.handBackContact, takingOver.handBack],
    [contract.blockContact, takingOver.block],
    [contract.unblockContact, takingOver.unblock],
  ] as const) {
    serve(app, deps, endpoint, async ({ creatorId, params, signedIn, inCreator }) => {
      const whose = { creatorId, contactId: params.contactId, userId: signedIn.user.id };
      return told(creatorId, await inCreator((trx) => change(deps, trx, whose)));
    });
  }

  serve(app, deps, contract.unsubscribeContact, async ({ creatorId, params, inCreator }) => {
    const left = await inCreator(async (trx) => {
      await unsubscribe(deps, trx, creatorId, params.contactId);
      return contacts.show(deps, trx, creatorId, params.contactId);
    });
    return told(creatorId, left);
  });

  serve(app, deps, contract.joinContacts, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const both = { creatorId, contactId: params.contactId, otherId: body.with, userId: signedIn.user.id };
    const joined = await inCreator(async (trx) => {
      await joining.join(deps, trx, { ...both, why: 'by_hand' });
      return contacts.show(deps, trx, creatorId, params.contactId);
    });
    return told(creatorId, joined);
  });

  serve(app, deps, contract.partContacts, async ({ creatorId, body, inCreator }) => {
    await inCreator((trx) => joining.part(deps, trx, { creatorId, joinId: body.joinId }));
    return told(creatorId, { message: 'Contacts separated.' });
  });

  serve(app, deps, contract.dismissSuggestion, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const both = { creatorId, contactId: params.contactId, otherId: body.with, userId: signedIn.user.id };
    await inCreator((trx) => joining.dismiss(deps, trx, both));
    return told(creatorId, { message: 'We won’t suggest this again.' });
  });

  serve(app, deps, contract.eraseContact, async ({ creatorId, params, signedIn }) => {
    const whose = { creatorId, contactId: params.contactId, userId: signedIn.user.id };
    const receipt = await erase(deps, whose);
    return told(creatorId, { message: 'Contact erased.', receipt });
  });

  serve(app, deps, contract.exportContact, async ({ creatorId, params, query, reply, inCreator }) => {
    reply.header('content-disposition', 'attachment; filename="contact.json"').header('cache-control', 'no-store');
    return inCreator((trx) => exportPerson(deps, trx, creatorId, params.contactId, query));
  });

  serve(app, deps, contract.getAnsweringSettings, async ({ creatorId, inCreator }) => ({
    takeoverMinutes: await inCreator((trx) => takingOver.readTakeoverMinutes(trx, creatorId)),
  }));

  serve(app, deps, contract.changeAnsweringSettings, async ({ creatorId, body, inCreator }) => {
    await inCreator((trx) => takingOver.changeTakeoverMinutes(trx, creatorId, body.takeoverMinutes));
    // The engine keeps it with the creator's automations.
    await deps.automationsChanged({ creatorId });
    return body;
  });
}
