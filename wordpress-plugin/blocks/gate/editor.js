/** The block "Only for subscribers" in the editor. Without the plugin, what is in it stands open in the post. */
((wp) => {
  const { createElement, useEffect } = wp.element;
  const { Placeholder, SelectControl, TextControl } = wp.components;
  const { InnerBlocks, useBlockProps } = wp.blockEditor;
  const { __ } = wp.i18n;

  // biome-ignore lint/correctness/noComponentHookFactories: A classic script has no scope of its own but this function.
  function Edit({ attributes: { locks, for: who, until, from }, setAttributes, clientId }) {
    useEffect(() => askOnce(clientId), []);
    // What was chosen stays, also once nobody offers it any more.
    const audiences = { [who]: __('A tier that is closed', 'creator-hq'), ...window.creatorHqAudiences };
    return createElement(
      'div',
      useBlockProps(),
      createElement(
        Placeholder,
        {
          icon: 'lock',
          label: __('Only for subscribers', 'creator-hq'),
          instructions:
            who === 'subscribers'
              ? __('Readers see a form here, and read on once they signed up.', 'creator-hq')
              : __('Others see here how to read on.', 'creator-hq'),
        },
        Object.keys(audiences).length > 1 &&
          createElement(SelectControl, {
            label: __('For whom', 'creator-hq'),
            value: who,
            options: Object.entries(audiences).map(([value, label]) => ({ value, label })),
            onChange: (value) => setAttributes({ for: value }),
          }),
        createElement(SelectControl, {
          label: __('What is locked', 'creator-hq'),
          value: locks,
          options: [
            { value: 'rest', label: __('The rest of this post', 'creator-hq') },
            { value: 'inside', label: __('Only the blocks in this box', 'creator-hq') },
            {
              value: 'card',
              label: __('Only the recipe card (WP Recipe Maker, Tasty Recipes, Create)', 'creator-hq'),
            },
          ],
          onChange: (value) => setAttributes({ locks: value }),
        }),
        createElement(TextControl, {
          type: 'date',
          label: __('Open to all from (optional)', 'creator-hq'),
          value: until,
          onChange: (value) => setAttributes({ until: value }),
        }),
        createElement(TextControl, {
          type: 'date',
          label: __('Locked from (optional)', 'creator-hq'),
          value: from,
          onChange: (value) => setAttributes({ from: value }),
        }),
      ),
      locks === 'inside' && createElement(InnerBlocks),
    );
  }

  let isAnswered = false;

  /** Before more than 30 % of the posts have something locked; a no leaves what stands in the block. */
  function askOnce(clientId) {
    // Blocks in previews of patterns are in a store of their own.
    const block = wp.data.select('core/block-editor').getBlock(clientId);
    if (isAnswered || !block || !window.creatorHqMuchLocked) return;
    isAnswered = window.confirm(window.creatorHqMuchLocked);
    if (isAnswered) return;
    const { removeBlock, replaceBlocks } = wp.data.dispatch('core/block-editor');
    if (block.innerBlocks.length > 0) replaceBlocks(clientId, block.innerBlocks);
    else removeBlock(clientId);
  }

  wp.blocks.registerBlockType('creator-hq/gate', {
    edit: Edit,
    save: () => createElement(InnerBlocks.Content),
  });
})(window.wp);
