<?php
/**
 * Where editors lock a post as a whole, and a category or tag.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Admin;

use CreatorHq\Gate\Days;
use CreatorHq\Gate\Enter;
use CreatorHq\Gate\Gate;
use CreatorHq\Gate\Rules;
use CreatorHq\Gate\Tiers;
use CreatorHq\Guard;

final class Locks {

	const FIELD = 'creator_hq_lock';
	const NONCE = 'creator_hq_lock_nonce';
	const WHEN  = 'creator_hq_lock_when';
	const DAY   = 'creator_hq_lock_day';
	const AFTER = 'creator_hq_lock_after';

	public static function hook() {
		add_action( 'add_meta_boxes', Guard::action( array( self::class, 'boxes' ) ) );
		add_action( 'save_post', Guard::action( array( self::class, 'save_post' ) ), 9 );
		foreach ( Rules::TAXONOMIES as $taxonomy ) {
			add_action( $taxonomy . '_edit_form_fields', Guard::action( array( self::class, 'term_field' ) ) );
			add_action( 'edited_' . $taxonomy, Guard::action( array( self::class, 'save_term' ) ) );
		}
	}

	public static function boxes() {
		if ( self::is_of_use() ) {
			add_meta_box( 'creator-hq-lock', __( 'Who reads this post', 'creator-hq' ), Guard::action( array( self::class, 'box' ) ), array( 'post', 'page' ), 'side' );
		}
	}

	public static function box( $post ) {
		wp_nonce_field( self::FIELD, self::NONCE );
		$own = (string) get_post_meta( $post->ID, Rules::META, true );
		echo '<p><label class="screen-reader-text" for="' . esc_attr( self::FIELD ) . '">' . esc_html__( 'Who reads this post', 'creator-hq' ) . '</label>';
		self::select(
			$own,
			array(
				''          => __( 'As its categories and tags say', 'creator-hq' ),
				Rules::OPEN => __( 'Everybody', 'creator-hq' ),
			),
			'post' === $post->post_type ? Gate::question( $post->ID ) : ''
		);
		echo '</p><p>';
		self::days( Days::of( $post->ID ) );
		echo '</p><p class="description">' . esc_html__( 'Everybody reads the first two paragraphs. Pictures and files themselves are not protected.', 'creator-hq' ) . '</p>';
	}

	public static function save_post( $id ) {
		$said = self::said();
		if ( null === $said || wp_is_post_revision( $id ) || ! current_user_can( 'edit_post', $id ) ) {
			return;
		}
		Rules::lock_post( $id, $said );
		$when = self::sent( self::WHEN );
		if ( Rules::is_lock( $said ) && in_array( $when, array( 'until', 'from' ), true ) && '' !== self::sent( self::DAY ) ) {
			update_post_meta( $id, Days::META, $when . ' ' . self::sent( self::DAY ) );
		} else {
			delete_post_meta( $id, Days::META );
		}
	}

	public static function term_field( $term ) {
		if ( ! self::is_of_use() ) {
			return;
		}
		echo '<tr class="form-field"><th scope="row"><label for="' . esc_attr( self::FIELD ) . '">' . esc_html__( 'Who reads its posts', 'creator-hq' ) . '</label></th><td>';
		wp_nonce_field( self::FIELD, self::NONCE );
		self::select( Rules::of_term( (int) $term->term_id ), array( '' => __( 'Everybody', 'creator-hq' ) ), Gate::question( 0, (int) $term->term_id ) );
		$days = Rules::days_of_term( (int) $term->term_id );
		echo '<p><label>' . esc_html__( 'Open to all so many days after a post is published (empty: never)', 'creator-hq' ) . ' <input type="number" min="1" max="3650" style="width:6em" name="' . esc_attr( self::AFTER ) . '" value="' . esc_attr( 0 === $days ? '' : (string) $days ) . '"></label></p>';
		echo '<p class="description">' . esc_html__( 'Where a post has several, the strictest counts. A post can say something else.', 'creator-hq' ) . '</p></td></tr>';
	}

	public static function save_term( $id ) {
		$said = self::said();
		if ( null !== $said && current_user_can( 'edit_term', $id ) ) {
			Rules::lock_term( (int) $id, $said, max( 0, min( 3650, (int) self::sent( self::AFTER ) ) ) );
		}
	}

	/**
	 * @param array<string, string> $first
	 * @param string $question To ask before a lock is chosen; a no leaves what was chosen.
	 */
	private static function select( string $chosen, array $first, string $question ) {
		$choices = $first;
		foreach ( Tiers::audiences() + self::audience_of( $chosen ) as $who => $label ) {
			$choices[ 'rest:' . $who ] = $label;
			/* translators: %s: for whom: Members */
			$choices[ 'card:' . $who ] = sprintf( __( 'Everybody, but the recipe card: %s', 'creator-hq' ), $label );
		}
		echo '<select id="' . esc_attr( self::FIELD ) . '" name="' . esc_attr( self::FIELD ) . '">';
		foreach ( $choices as $value => $label ) {
			echo '<option value="' . esc_attr( $value ) . '"';
			selected( $chosen, $value );
			echo '>' . esc_html( $label ) . '</option>';
		}
		echo '</select>';
		if ( '' !== $question ) {
			wp_print_inline_script_tag(
				'(function(select,question){var kept=select.value;select.addEventListener("change",function(){'
				. 'if(kept.indexOf(":")<0&&select.value.indexOf(":")>0&&!window.confirm(question)){select.value=kept;}kept=select.value;});})'
				. '(document.getElementById("' . self::FIELD . '"),' . wp_json_encode( $question ) . ');'
			);
		}
	}

	/** @param array<string, string> $days */
	private static function days( array $days ) {
		$choices = array(
			''      => __( 'Always', 'creator-hq' ),
			'until' => __( 'Until a day, then open to all', 'creator-hq' ),
			'from'  => __( 'From a day, open until then', 'creator-hq' ),
		);
		echo '<select name="' . esc_attr( self::WHEN ) . '" aria-label="' . esc_attr__( 'How long it is locked', 'creator-hq' ) . '">';
		foreach ( $choices as $when => $label ) {
			echo '<option value="' . esc_attr( $when ) . '"';
			selected( (string) key( $days ), $when );
			echo '>' . esc_html( $label ) . '</option>';
		}
		echo '</select> <input type="date" name="' . esc_attr( self::DAY ) . '" value="' . esc_attr( (string) current( $days ) ) . '" aria-label="' . esc_attr__( 'Day', 'creator-hq' ) . '">';
	}

	private static function sent( string $field ): string {
		// phpcs:ignore WordPress.Security.NonceVerification -- said() has looked at it.
		return isset( $_POST[ $field ] ) ? sanitize_text_field( wp_unslash( $_POST[ $field ] ) ) : '';
	}

	/** What was chosen stays, also once nobody offers it any more. */
	private static function audience_of( string $lock ): array {
		if ( ! Rules::is_lock( $lock ) ) {
			return array();
		}
		$who = explode( ':', $lock, 2 )[1];
		return array( $who => Tiers::label( $who ) );
	}

	/** Null: nothing was said here. */
	private static function said(): ?string {
		$nonce = isset( $_POST[ self::NONCE ] ) ? sanitize_text_field( wp_unslash( $_POST[ self::NONCE ] ) ) : '';
		if ( ! wp_verify_nonce( $nonce, self::FIELD ) || ! isset( $_POST[ self::FIELD ] ) ) {
			return null;
		}
		return sanitize_text_field( wp_unslash( $_POST[ self::FIELD ] ) );
	}

	private static function is_of_use(): bool {
		return '' !== Enter::members_at() || Rules::are_used();
	}
}
