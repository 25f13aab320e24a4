<?php
/**
 * What stands in the place of a locked part: its shape, and the form that opens it.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Forms\Placement;
use CreatorHq\Forms\Printer;
use CreatorHq\Forms\Store;
use CreatorHq\Settings;

final class Wall {

	/** Search engines are told of it by this class. */
	const SELECTOR = '.chq-locked';
	const STYLE    = '.chq-shape{filter:blur(4px);opacity:.2;max-height:14em;overflow:hidden;pointer-events:none}.chq-shape i{display:block;height:.9em;margin:0 0 .6em;background:currentColor;border-radius:.3em}.chq-shape .h{width:45%;height:1.4em}.chq-shape .p{height:3.4em}.chq-shape .l{width:60%;height:6em}.chq-shape .i,.chq-shape .c{height:11em}.chq-wall{margin:1em 0}.chq-wall form+form{margin-top:.6em}';

	/** The form that opens: the chosen one, else the first for subscribers only, else the first to sign up. */
	public static function form(): ?array {
		$chosen = Store::find( Settings::gate()['form'] );
		return $chosen ?? Store::first_of_kind( 'gate' ) ?? Store::first_of_kind( 'signup' );
	}

	public static function in_holes( $content ) {
		if ( ! is_string( $content ) || false === strpos( $content, '<!--creator-hq-locked ' ) ) {
			return $content;
		}
		$shown = array();
		return preg_replace_callback(
			Lock::HOLE,
			function ( $found ) use ( &$shown ) {
				list( , $who, $part, $shape ) = $found;
				$html                         = self::html( $who, (int) $part, $shape, $shown, get_post() );
				$shown[]                      = $who;
				return $html;
			},
			$content
		);
	}

	/** For who may edit the post, and sees all of it. */
	public static function note( string $locks, string $who ): string {
		if ( '' === $who || ! Access::may_edit( (int) get_the_ID() ) || is_feed() ) {
			return '';
		}
		$words = array(
			/* translators: %s: for whom: Members */
			'card'   => __( 'The recipe card in this post is locked. It opens for: %s. You see it because you can edit this post.', 'creator-hq' ),
			/* translators: %s: for whom: Members */
			'rest'   => __( 'From here on this post is locked. It opens for: %s. You see it because you can edit this post.', 'creator-hq' ),
			/* translators: %s: for whom: Members */
			'inside' => __( 'This part is locked. It opens for: %s. You see it because you can edit this post.', 'creator-hq' ),
		);
		return '<p class="chq-note" style="border-inline-start:4px solid;padding:.5em 1em;font-size:.9em">' . esc_html( sprintf( $words[ $locks ] ?? $words['rest'], Tiers::label( $who ) ) ) . '</p>';
	}

	/** @param string[] $shown For whom there are walls above this one: a way in stands once. */
	private static function html( string $who, int $part, string $shape, array $shown, ?\WP_Post $post ): string {
		if ( ! $post || doing_filter( 'get_the_excerpt' ) ) {
			return '';
		}
		if ( ! is_singular() || get_queried_object_id() !== $post->ID || ! Placement::is_for_readers() ) {
			$words = array(
				'subscribers' => __( 'This part is only for subscribers. Read it on the blog.', 'creator-hq' ),
				'readers'     => __( 'This part opens with an email address. Read it on the blog.', 'creator-hq' ),
			);
			$says  = $words[ $who ] ?? __( 'This part is only for members. Read it on the blog.', 'creator-hq' );
			return '<p><a href="' . esc_url( get_permalink( $post ) ) . '">' . esc_html( $says ) . '</a></p>';
		}
		$is_first = ! in_array( $who, $shown, true );
		return '<div class="' . ltrim( self::SELECTOR, '.' ) . '" data-chq-for="' . esc_attr( $who ) . '" data-chq-part="' . esc_attr( (string) $part ) . '"' . ( ViewAs::is_on() ? '' : ' data-chq-gate="' . esc_attr( (string) $post->ID ) . '"' ) . self::addresses() . '>'
			. ( array() === $shown ? '<style>' . self::STYLE . '</style>' : '' )
			. self::drawn( $shape )
			. ( $is_first ? '<div class="chq-wall">' . self::way_in( $who, $post ) . '</div>' : '' )
			. '</div>'
			. JsonLd::of_locked( $part, $post );
	}

	/** For the script. */
	private static function addresses(): string {
		return ' data-chq-open="' . esc_url( rest_url( 'creator-hq/v1/open' ) ) . '" data-chq-ajax="' . esc_url( admin_url( 'admin-ajax.php' ) ) . '"';
	}

	private static function drawn( string $shape ): string {
		$drawn = '';
		foreach ( str_split( '' === $shape ? 'p' : $shape ) as $letter ) {
			$drawn .= '<i class="' . esc_attr( $letter ) . '"></i>';
		}
		return '<div class="chq-shape" aria-hidden="true">' . $drawn . '</div>';
	}

	private static function way_in( string $who, \WP_Post $post ): string {
		if ( 'subscribers' === $who ) {
			return self::subscribers_way_in( self::form(), $post );
		}
		if ( Access::is_of_lower_tier( $who, $post->ID ) ) {
			return self::way_up( $who, $post );
		}
		if ( Access::is_something_open() && self::is_free_to_open( $post ) ) {
			return self::free_way_in( $who, $post );
		}
		return 'readers' === $who && '' !== Enter::readers_at() ? self::readers_way_in( $post ) : self::members_way_in( $who, $post );
	}

	/**
	 * What walls say to a member whose tier is too low, and to a reader who may open a post for free.
	 *
	 * @param string[] $wanted For whom something is locked.
	 * @return array<string, string> HTML, by for whom.
	 */
	public static function of_readers( array $wanted, \WP_Post $post ): array {
		$walls   = array();
		$is_free = self::is_free_to_open( $post );
		foreach ( array_unique( $wanted ) as $who ) {
			if ( Access::is_of_lower_tier( $who, $post->ID ) || ( $is_free && ! Access::opens( $who, $post->ID ) ) ) {
				$walls[ $who ] = self::way_in( $who, $post );
			}
		}
		return $walls;
	}

	/** Whether this browser is that of a reader who does not pay, and may open such a post: what members of any tier read. Call before anything is printed. */
	public static function is_free_to_open( \WP_Post $post ): bool {
		$locked = null === MemberPass::free() ? array() : Lock::locked( Lock::text( get_post( $post->ID ) ) );
		$strictest = Lock::strictest( ...array_column( $locked, 0 ) );
		return ! Lock::is_open_to( 'readers', $strictest ) && Lock::is_open_to( Tiers::lowest(), $strictest );
	}

	private static function free_way_in( string $who, \WP_Post $post ): string {
		list( $left, $most ) = MemberPass::free();
		if ( $left <= 0 ) {
			/* translators: %s: a number of posts */
			$says = sprintf( __( 'You have opened %s for free this month.', 'creator-hq' ), number_format_i18n( $most ) );
			return '<p>' . esc_html( self::only_for( $who ) . ' ' . $says ) . '</p>' . self::buttons_of_members( $post );
		}
		/* translators: 1: how many posts can still be opened for free, 2: of how many */
		$label = __( 'Open this one: %1$s of %2$s left this month', 'creator-hq' );
		$label = Open::has_failed() ? __( 'That did not work. Try again', 'creator-hq' ) : sprintf( $label, number_format_i18n( $left ), number_format_i18n( $most ) );
		return '<p>' . esc_html( self::only_for( $who ) ) . '</p>' . self::acting( Open::FREE, $label, $post ) . self::join_button( $post );
	}

	/** What is said where a reader just opened a post. */
	public static function opened_for_free(): string {
		list( $left, $most ) = MemberPass::free() ?? array( 0, 0 );
		/* translators: 1: how many posts can still be opened for free, 2: of how many */
		return sprintf( __( 'Open for you until the end of the month. %1$s of %2$s left this month.', 'creator-hq' ), number_format_i18n( $left ), number_format_i18n( $most ) );
	}

	/** A button that is pressed at this page; the script does it in place. */
	public static function acting( string $what, string $label, \WP_Post $post, string $looks = ' class="wp-element-button"' ): string {
		Printer::enqueue();
		return '<form method="post" action="' . esc_url( get_permalink( $post ) ) . '" data-chq-act="' . esc_attr( $what ) . '" data-chq-post="' . esc_attr( (string) $post->ID ) . '"' . self::addresses() . '>'
			. '<input type="hidden" name="' . esc_attr( Open::FIELD ) . '" value="' . esc_attr( $what ) . '"><input type="hidden" name="' . esc_attr( Open::POST ) . '" value="' . esc_attr( (string) $post->ID ) . '">'
			. '<button type="submit"' . $looks . '>' . esc_html( $label ) . '</button></form>';
	}

	private static function way_up( string $who, \WP_Post $post ): string {
		$says = '<p>' . esc_html( self::only_for( $who ) ) . ' ' . esc_html__( 'Your membership does not include it.', 'creator-hq' ) . '</p>';
		return $says . ( '' === Enter::join_at() ? '' : Enter::button( 'change', __( 'Change my membership', 'creator-hq' ), $post ) );
	}

	private static function only_for( string $who ): string {
		$name = Tiers::name_of( $who );
		/* translators: %s: the name of a tier of memberships */
		return '' === $name ? __( 'This part is only for members.', 'creator-hq' ) : sprintf( __( 'This part is only for members of %s and above.', 'creator-hq' ), $name );
	}

	private static function readers_way_in( \WP_Post $post ): string {
		Printer::enqueue();
		return '<p>' . esc_html__( 'This part is free: enter your email to read on.', 'creator-hq' ) . '</p>'
			. Enter::button( 'read', __( 'Read on for free', 'creator-hq' ), $post ) . self::without_script( __( 'Entered already? Read on', 'creator-hq' ), $post );
	}

	private static function subscribers_way_in( ?array $form, \WP_Post $post ): string {
		if ( null === $form ) {
			return '<p>' . esc_html__( 'This part is only for subscribers.', 'creator-hq' ) . '</p>';
		}
		return Printer::form( $form, $post->ID, '' ) . self::without_script( __( 'Signed up already? Read on', 'creator-hq' ), $post );
	}

	private static function members_way_in( string $who, \WP_Post $post ): string {
		$says = '<p>' . esc_html( self::only_for( $who ) ) . '</p>';
		if ( '' === Enter::members_at() ) {
			return $says;
		}
		Printer::enqueue();
		$free = (int) Memberships::get( 'free_opens', 0 );
		if ( $free > 0 && '' !== Enter::readers_at() && Lock::is_open_to( Tiers::lowest(), $who ) ) {
			/* translators: %s: a number of posts, 1 to 3 */
			$says .= Enter::button( 'read', sprintf( __( 'Read %s a month for free', 'creator-hq' ), number_format_i18n( $free ) ), $post );
		}
		return $says . self::buttons_of_members( $post ) . self::without_script( __( 'Entered already? Read on', 'creator-hq' ), $post );
	}

	private static function buttons_of_members( \WP_Post $post ): string {
		return self::join_button( $post ) . Enter::button( 'enter', __( 'Enter as a member', 'creator-hq' ), $post );
	}

	public static function join_button( \WP_Post $post ): string {
		return '' === Enter::join_at() ? '' : Enter::button( 'join', __( 'Become a member', 'creator-hq' ), $post );
	}

	/** Sent by POST: no cache keeps the answer, and none gives another one. */
	private static function without_script( string $label, \WP_Post $post ): string {
		return '<noscript><form method="post" action="' . esc_url( get_permalink( $post ) ) . '"><input type="hidden" name="' . esc_attr( Open::FIELD ) . '" value="1"><button type="submit">' . esc_html( $label ) . '</button></form></noscript>';
	}
}
