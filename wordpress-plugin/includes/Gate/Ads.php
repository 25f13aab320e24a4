<?php
/**
 * No ads for members. Every page is the same for everybody, as caches keep it: a small script reads the cookie that says that this
 * browser is a member's, before any ad code begins. Whoever makes that cookie up rids their own screen of ads, and opens nothing.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Guard;

final class Ads {

	/**
	 * What of others we can keep away:
	 * - Raptive heeds a class of the body.
	 * - Mediavine reads an element with this id: all kinds of places but the video player [?: the names of kinds].
	 * - AdSense waits while it is told to [?].
	 * - Advanced Ads prints what we put into a box of ours; see `boxed`.
	 */
	const SCRIPT = "(function(d){var m=/(?:^|; )chq_member=(\\d+)/.exec(d.cookie);if(!m||m[1]*1000<Date.now())return;(window.adsbygoogle=window.adsbygoogle||[]).pauseAdRequests=1;function b(){var y=d.body,e;if(!y)return;y.classList.add('adthrive-disable-all','chq-member');if(!d.getElementById('mediavine-settings')){e=d.createElement('div');e.id='mediavine-settings';'leaderboard sidebar-atf sidebar-btf content content-desktop content-mobile recipe recipe-desktop recipe-mobile adhesion adhesion-desktop adhesion-tablet adhesion-mobile native feed in-image interstitial auto-insert-sticky outstream'.split(' ').forEach(function(n){e.setAttribute('data-blocklist-'+n,'1')});y.prepend(e)}d.querySelectorAll('.chq-ad,ins.adsbygoogle').forEach(function(a){a.remove()})}b();new MutationObserver(b).observe(d.documentElement,{childList:true,subtree:true})})(document)";

	public static function hook() {
		// As early as can be: in old themes before the body begins, where the observer waits for it.
		add_action( 'wp_head', Guard::action( array( self::class, 'script' ) ), 0 );
		add_action( 'wprm_print_head', Guard::action( array( self::class, 'script' ) ), 0 );
		add_action( 'wprm_print_body_open', Guard::action( array( self::class, 'script' ) ), 0 );
		add_filter( 'advanced-ads-output-final', Guard::filter( array( self::class, 'boxed' ) ), 99 );
	}

	/** An ad of Advanced Ads, so that the script finds it [?: the filter]. */
	public static function boxed( $output ) {
		return is_string( $output ) && '' !== $output && '' !== Enter::members_at() ? '<div class="chq-ad">' . $output . '</div>' : $output;
	}

	public static function script() {
		static $printed = false;
		if ( $printed || '' === Enter::members_at() || is_admin() ) {
			return;
		}
		$printed = true;
		$first = array(
			'data-no-optimize' => '1',
			'data-cfasync'     => 'false',
		);
		wp_print_inline_script_tag( self::SCRIPT, $first );
	}
}
